import Apod
import Files

/// A file of `key = value` lines, with `#` comments.
struct ConfigurationFile {
    struct Line {
        let number: Int
        /// The whole line where there is no `=`.
        let key: String
        let value: String?
    }

    private(set) var lines: [Line] = []
    private static let longest = 1 << 20

    init(_ path: String) throws(ConfigurationError) {
        let bytes: [UInt8]
        do {
            bytes = try File.reading(path).stream(atMost: Self.longest)
        } catch {
            throw ConfigurationError(["\(error)"])
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConfigurationError(["\(path) is not text in UTF-8"])
        }
        // Windows ends lines with CR LF, which is one `Character`, and begins files with U+FEFF.
        let split = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in split.enumerated() {
            let line = Self.trimmed(index == 0 && line.hasPrefix("\u{feff}") ? line.dropFirst() : line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            let equals = line.firstIndex(of: "=")
            let key = Self.trimmed(line[..<(equals ?? line.endIndex)])
            let value = equals.map { Self.trimmed(Self.withoutComment(line[line.index(after: $0)...])) }
            lines.append(Line(number: index + 1, key: key, value: value))
        }
    }

    /// A comment behind a value has a space before it: an address may hold a `#` of its own.
    private static func withoutComment(_ text: Substring) -> Substring {
        let comment = text.indices.first { index in
            text[index] == "#" && index > text.startIndex && text[text.index(before: index)].isWhitespace
        }
        return text[..<(comment ?? text.endIndex)]
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}

/// Mistakes in the settings, and where they are.
package struct ConfigurationError: Error, CustomStringConvertible {
    /// At least one.
    package let mistakes: [String]

    package init(_ mistakes: [String]) { self.mistakes = mistakes }

    package var description: String { mistakes.joined(separator: "; ") }
}
