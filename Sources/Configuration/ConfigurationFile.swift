internal import Apod
internal import Files
import Glibc

/// A file of `key = value` lines, with `#` comments.
struct ConfigurationFile {
    struct Line {
        let number: Int
        let key: String
        let value: String
        /// Why the line is no setting; nil if it may be one.
        let mistake: String?
    }

    private(set) var lines: [Line] = []
    private static let longest = 1 << 20

    init(_ path: String) throws(ConfigurationError) {
        let bytes: [UInt8]
        do throws(StorageError) {
            bytes = try File.reading(path).stream(atMost: Self.longest)
        } catch {
            throw ConfigurationError(["\(error)\(Self.advice(on: error))"])
        }
        if bytes.contains(0) {
            throw ConfigurationError(["\(path) is no file of settings: save it as text in UTF-8, or move it away"])
        }
        let isText = String(validating: bytes, as: UTF8.self) != nil
        let text = String(decoding: bytes, as: UTF8.self)
        // Windows ends lines with CR LF, which is one `Character`, and begins files with U+FEFF.
        let split = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        for (index, line) in split.enumerated() {
            let line = Self.trimmed(index == 0 && line.hasPrefix("\u{feff}") ? line.dropFirst() : line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                let mistake = "\(ConfigurationError.quoted(line)) is not `key = value`"
                lines.append(Line(number: index + 1, key: "", value: "", mistake: mistake))
                continue
            }
            let key = Self.trimmed(line[..<equals])
            let value = Self.trimmed(Self.withoutComment(line[line.index(after: equals)...]))
            // Bytes that are not UTF-8 became U+FFFD. In comments, they do no harm.
            let isWrong = !isText && (key + value).unicodeScalars.contains("\u{fffd}")
            let mistake = isWrong ? "this is not UTF-8; save the file as UTF-8" : nil
            lines.append(Line(number: index + 1, key: key, value: value, mistake: mistake))
        }
    }

    private static func advice(on error: StorageError) -> String {
        switch error.code {
        case EACCES: return "; whoever owns it has to let you read it"
        case EISDIR: return "; settings stand in a file: move this folder away"
        default: return ""
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
