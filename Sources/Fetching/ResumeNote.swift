import Apod
import Files
import Glibc

/// A small file beside an unfinished download, which is resumed if the server still has the file noted in it.
struct ResumeNote {
    let address: String
    /// A strong ETag or a date, for If-Range (RFC 9110, 13.1.5).
    let validator: String

    init?(address: String, head: AnswerHead) {
        let tag = head.fields["etag"].flatMap { $0.hasPrefix("\"") ? $0 : nil }
        guard Boot.identifier != nil, let validator = tag ?? head.fields["last-modified"] else { return nil }
        self.address = address
        self.validator = validator
    }

    /// nil unless the note was written since the machine started: after a power cut the file may have holes.
    init?(of name: String, in folder: Folder) throws {
        guard let file = try folder.file(Self.name(name)) else { return nil }
        let text = try file.contents(atMost: 1 << 16).text
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let boot = Boot.identifier, lines.count == 4, lines[0] == boot else { return nil }
        address = String(lines[1])
        validator = String(lines[2])
    }

    /// Whether an answer is about another file: some servers ignore If-Range.
    func isContradicted(by head: AnswerHead) -> Bool {
        let field = validator.hasPrefix("\"") ? "etag" : "last-modified"
        return head.fields[field].map { $0 != validator } ?? false
    }

    func write(of name: String, in folder: Folder) throws {
        let lines = [Boot.identifier ?? "", address, validator, ""]
        let file = try folder.makeFile(Self.name(name))
        try file.append(lines.joined(separator: "\n").bytes)
    }

    static func remove(of name: String, in folder: Folder) throws { try folder.remove(Self.name(name)) }

    static func name(_ name: String) -> String { name + ".note" }
}

private enum Boot {
    /// A new text after each boot (random(4)); nil where the system does not tell.
    static let identifier: String? = {
        var line = [CChar](repeating: 0, count: 64)
        guard let file = fopen("/proc/sys/kernel/random/boot_id", "re") else { return nil }
        defer { fclose(file) }
        guard let text = fgets(&line, Int32(line.count), file) else { return nil }
        return String(String(cString: text).prefix { $0.isHexDigit || $0 == "-" })
    }()
}
