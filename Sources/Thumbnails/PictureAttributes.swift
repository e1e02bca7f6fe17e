internal import Apod
internal import Archive
internal import Files

/// What file managers and search programs show of a file beside its name (freedesktop.org, Common Extended Attributes).
struct PictureAttributes {
    /// Of each name, what it is to be; nil takes it away.
    private let values: [(name: String, value: String?)]

    /// None.
    static let none = PictureAttributes(comment: nil, origin: nil, creator: nil, title: nil)

    /// Of a file of a day.
    init(_ document: DayDocument, _ file: StoredFile) {
        let title = Self.value(document.title, atMost: Self.longestName)
        let creator = Self.value(
            document.text("credit") ?? document.text("copyright") ?? "", atMost: Self.longestName)
        let sentence = Self.value(Self.firstSentence(of: document.explanation), atMost: Self.longestSentence)
        let comment = [title, creator, sentence].compactMap(\.self).joined(separator: " — ")
        let origin = file.address.description
        self.init(
            comment: comment.isEmpty ? nil : comment, origin: origin.utf8.count <= Self.longestAddress ? origin : nil,
            creator: creator, title: title)
    }

    private init(comment: String?, origin: String?, creator: String?, title: String?) {
        values = [
            ("xdg.comment", comment), ("xdg.origin.url", origin), ("dublincore.creator", creator),
            ("dublincore.title", title),
        ]
    }

    /// All of them have room in the block that ext4 has for them.
    private static let longestName = 200
    private static let longestSentence = 500
    private static let longestAddress = 1000

    /// On one line, and no longer than so many bytes; nil for nothing.
    private static func value(_ text: String, atMost bytes: Int) -> String? {
        let text = Text.clean(text)
        if text.isEmpty { return nil }
        if text.utf8.count <= bytes { return text }
        var (scalars, size) = (String.UnicodeScalarView(), "…".utf8.count)
        for scalar in text.unicodeScalars {
            size += UTF8.width(scalar)
            if size > bytes { break }
            scalars.append(scalar)
        }
        return String(scalars) + "…"
    }

    /// As far as a dot and the like with a space behind it, but for those in names and abbreviations at its beginning.
    static func firstSentence(of text: String) -> String {
        let scalars = Array(text.unicodeScalars)
        let ends = scalars.indices.dropFirst(shortestSentence).first { index in
            [".", "!", "?"].contains(scalars[index]) && (index + 1 == scalars.count || Text.isSpace(scalars[index + 1]))
        }
        return ends.map { String(String.UnicodeScalarView(scalars[...$0])) } ?? text
    }

    private static let shortestSentence = 20

    func write(to file: File) { for (name, value) in values { file.setAttribute(name, value) } }
}
