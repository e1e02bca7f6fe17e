import Apod

/// Text with a little HTML in it, as the upstream's fields hold it.
struct HTMLText: Sendable {
    /// Text that is bold throughout or not at all, and stands on one line.
    private struct Run: Sendable {
        var text: String
        let isBold: Bool
        /// Nothing but white space stands before it on its line.
        let opensLine: Bool
    }

    private let runs: [Run]

    private static let bold: Set<String> = ["b", "strong"]
    init(_ html: String) {
        var runs: [Run] = []
        var boldness = 0
        var lineIsEmpty = true
        for piece in Markup(html: html).pieces {
            switch piece {
            case .open(let name, _) where Self.bold.contains(name): boldness += 1
            case .close(let name) where Self.bold.contains(name): boldness -= 1
            case .text(let text): Self.append(PlainText.visible(text), isBold: boldness > 0, to: &runs, &lineIsEmpty)
            case .open, .close:
                guard piece.breaksLine else { continue }
                lineIsEmpty = true
                if !runs.isEmpty { runs[runs.count - 1].text += " " }
            }
        }
        self.runs = runs
    }

    private static func append(_ text: String, isBold: Bool, to runs: inout [Run], _ lineIsEmpty: inout Bool) {
        let isBlank = text.unicodeScalars.allSatisfy(Text.isSpace)
        if let last = runs.last, isBlank || (!lineIsEmpty && last.isBold == isBold) {
            runs[runs.count - 1].text += text
        } else if !isBlank {
            runs.append(Run(text: text, isBold: isBold, opensLine: lineIsEmpty))
            lineIsEmpty = false
        }
    }

    /// All of it on one line.
    var text: String { PlainText.tidy(runs.map(\.text).joined()) }
}

extension HTMLText {
    private static let label = "explanation:"

    /// The explanation without its label, and without the notices before the label and behind the text.
    var explanation: String {
        var shown = ""
        for run in runs[start...] {
            let behindText = !Self.unlabelled(shown).isEmpty
            if ExplanationTail.begins(run.text, opensLine: run.opensLine, isBold: run.isBold, behindText: behindText) {
                break
            }
            shown += run.text
        }
        return Self.unlabelled(shown)
    }

    /// Where the explanation begins: at the first run or, where that is a notice, at the label.
    private var start: Int {
        let firsts = [runs.first, runs.first(where: \.isBold)].compactMap(\.self)
        let isNotice = firsts.contains { run in
            ExplanationTail.begins(run.text, opensLine: run.opensLine, isBold: run.isBold, behindText: true)
        }
        guard isNotice else { return 0 }
        return runs.indices.first { index in
            guard runs[index].isBold || runs[index].opensLine else { return false }
            // The colon can stand behind the bold word.
            return Self.isLabelled(PlainText.tidy(runs[index...].prefix(2).map(\.text).joined()))
        } ?? 0
    }

    private static func unlabelled(_ text: String) -> String {
        let text = PlainText.tidy(text)
        guard isLabelled(text) else { return text }
        return PlainText.tidy(String(text.unicodeScalars.dropFirst(label.unicodeScalars.count)))
    }

    /// Compares bytes, as the character behind the colon can be a combining one.
    private static func isLabelled(_ text: String) -> Bool {
        text.utf8.prefix(label.utf8.count).text.lowercased() == label
    }
}

extension HTMLText {
    private static let longestLabel = 60

    /// The credit without its label.
    var credit: String {
        guard let label else { return text }
        return PlainText.tidy(String(text.unicodeScalars.dropFirst(label.unicodeScalars.count + 1)))
    }

    /// Whether it says “Copyright” or ©, in its label or elsewhere.
    var isCopyrighted: Bool {
        let words = text.lowercased().utf8
        return ["copyright", "©"].contains { words.contains($0.utf8) }
    }

    /// The credit's label, such as `Image Credit & Copyright`: the words before the first colon.
    private var label: String? {
        let scalars = text.unicodeScalars
        let label = String(scalars.prefix { $0 != ":" })
        let length = label.unicodeScalars.count
        guard length < scalars.count, length <= Self.longestLabel else { return nil }
        // Not the colon of an address.
        guard !scalars.dropFirst(length + 1).starts(with: "//".unicodeScalars) else { return nil }
        let words = label.lowercased()
        return words.contains("credit") || words.contains("copyright") ? label : nil
    }
}
