internal import Files
import Glibc

/// A file of `key = value` lines, with `#` comments.
struct ConfigurationFile {
    struct Line {
        let number: Int
        let key: String
        let value: String
    }

    private(set) var lines: [Line] = []

    /// A file that is not required may be missing.
    init(_ path: String, isRequired: Bool) throws(Configuration.Complaint) {
        let text: String
        do throws(DiskError) {
            text = String(decoding: try File.reading(path).stream(), as: UTF8.self)
        } catch {
            if !isRequired, error.code == ENOENT || error.code == ENOTDIR || error.code == EACCES { return }
            throw Configuration.Complaint(description: error.description)
        }
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = Self.trimmed(line.hasPrefix("#") ? "" : line)
            if line.isEmpty || line.hasPrefix("#") { continue }
            guard let equals = line.firstIndex(of: "=") else {
                throw Configuration.Complaint(description: "\(path):\(index + 1): “\(line)” is not `key = value`")
            }
            let value = Self.trimmed(Self.withoutComment(line[line.index(after: equals)...]))
            lines.append(Line(number: index + 1, key: Self.trimmed(line[..<equals]), value: value))
        }
    }

    /// A comment behind a value begins with ` #`: an address may hold a `#` of its own.
    private static func withoutComment(_ text: Substring) -> Substring {
        text.firstRange(of: " #").map { text[..<$0.lowerBound] } ?? text
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text
        while text.first?.isWhitespace == true { text.removeFirst() }
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text)
    }
}
