import Apod

/// Breaks text into lines.
enum Lines {
    /// Wraps each paragraph to `width` scalars; only a single long word can exceed that.
    static func wrapped(_ text: String, to width: Int) -> [String] {
        text.unicodeScalars.split(separator: "\n").flatMap { paragraph in
            filled(paragraph.split(whereSeparator: Text.isSpace).map { .init($0) }, to: width)
        }
    }

    /// The same for a message, where commands in backticks are not broken either.
    static func wrapped(message: String, to width: Int) -> [String] {
        message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { filled(words(of: $0), to: width) }
    }

    /// A text behind `front`, which `wrap` breaks into lines of the width that `columns` leave. All but the first begin
    /// `hanging` further to the right.
    static func behind(
        _ front: String, hanging: Int = 0, columns: Int = Terminal.outputWidth, wrap: (Int) -> [String]
    ) -> String {
        let indent = front.count + hanging
        return front
            + wrap(max(columns, 2 * indent) - indent).joined(separator: "\n" + String(repeating: " ", count: indent))
    }

    private static func filled(_ words: [String.UnicodeScalarView], to width: Int) -> [String] {
        var lines: [String.UnicodeScalarView] = []
        for word in words {
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1].append(" ")
                lines[lines.count - 1].append(contentsOf: word)
            } else {
                lines.append(word)
            }
        }
        return lines.map { String($0) }
    }

    private static func words(of message: some Sequence<Unicode.Scalar>) -> [String.UnicodeScalarView] {
        var words = [String.UnicodeScalarView()]
        var isCommand = false
        for scalar in message {
            if scalar == "`" { isCommand.toggle() }
            if scalar == " ", !isCommand {
                words.append(String.UnicodeScalarView())
            } else {
                words[words.count - 1].append(scalar)
            }
        }
        return words
    }
}
