/// Percent-encoding (RFC 3986, 2.1).
package enum Percent {
    package static func encoded(_ text: some StringProtocol, where isForbidden: (UInt8) -> Bool) -> String {
        encoded(bytes: text.utf8, where: isForbidden)
    }

    /// A path, whose slashes stay.
    package static func path(_ path: String) -> String { encoded(path) { !plain.contains($0) } }

    /// The text that an address has encoded. What is no escape stands for itself.
    package static func decoded(_ text: some StringProtocol) -> String {
        var bytes: [UInt8] = []
        var rest = text.bytes[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == "%", digits.count == 2,
                let value = UInt8(digits.text, radix: 16)
            {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes.text
    }

    private static let plain = ASCIISet("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/")

    package static func encoded(bytes: some Sequence<UInt8>, where isForbidden: (UInt8) -> Bool) -> String {
        let digits = "0123456789ABCDEF".bytes
        var result: [UInt8] = []
        for byte in bytes {
            if isForbidden(byte) {
                result += ["%", digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            } else {
                result.append(byte)
            }
        }
        return result.text
    }
}

/// JSON values in a script, which is a file of its own or part of a page.
package enum Script {
    /// Writes `<`, which JSON has in strings only, as `\u003c`, so that it ends no script and begins no comment.
    package static func value(_ json: JSON) -> [UInt8] {
        let compact = json.compact
        let mark: UInt8 = "<"
        guard compact.contains(mark) else { return compact }
        return Array(compact.split(separator: mark, omittingEmptySubsequences: false).joined(separator: "\\u003c".utf8))
    }
}

/// Queries for SQLite's full-text search (FTS5, "Full-text Query Syntax").
package enum FullText {
    /// Finds days with all these words, taken literally. The last one may be the beginning of a word.
    package static func query(_ words: [String]) -> String { words.map(phrase).joined(separator: " ") + "*" }

    private static func phrase(_ word: String) -> String {
        let parts = word.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map { String($0) }.joined(separator: "\"\""))\""
    }
}
