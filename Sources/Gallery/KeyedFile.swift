internal import Apod
internal import Archive
internal import Files

/// The frame of a file that is made from its former self: each line begins with a key, which names what the line was made
/// from, and a comment at the top has a digest of all keys. Only lines whose key is new are made.
struct KeyedFile {
    let name: String
    let version: String
    /// The file before and after the comment with the digest, whose first words are the mirror's signature.
    var comment = (opening: "\(GeneratedFile.script)// ", closing: "\n")
    /// The file before and after the lines.
    let ends: (opening: String, closing: String)
    /// All of one length.
    let keys: [[UInt8]]

    struct Line {
        let bytes: [UInt8]
        /// False if something of it could not be read. The next run then tries again.
        var isWhole = true
    }

    /// The file up to its comment. `all`: nil if a line is not whole.
    private func head(_ all: Digest?) -> [UInt8] {
        Array("\(comment.opening)\(version) \(all?.description ?? "-")\(comment.closing)".utf8)
    }

    private var head: [UInt8] { head(Digest(of: Array(keys.joined()))) }

    func isUpToDate(in folder: Folder) throws -> Bool {
        try GeneratedFile.beginning(name, in: folder)?.starts(with: head) ?? false
    }

    /// `old`: the present file. `make`: returns the line for the key at an index.
    func bytes(after old: [UInt8]?, _ make: (Int) throws -> Line) throws -> [UInt8] {
        let known = lines(of: old ?? [])
        var (lines, isWhole): ([UInt8], Bool) = ([], true)
        lines.reserveCapacity(old?.count ?? 0)
        for (index, key) in keys.enumerated() {
            if let line = known[key] {
                lines += line
            } else {
                let line = try make(index)
                lines += line.bytes
                if !line.isWhole { isWhole = false }
            }
        }
        return (isWhole ? head : head(nil)) + "\(ends.opening)\n".utf8 + lines + "\(ends.closing)\n".utf8
    }

    /// Lines by their keys; none if another version wrote them.
    func lines(of old: [UInt8]) -> [[UInt8]: ArraySlice<UInt8>] {
        guard let length = keys.first?.count, old.starts(with: "\(comment.opening)\(version) ".utf8) else { return [:] }
        var lines: [[UInt8]: ArraySlice<UInt8>] = [:]
        var start = 0
        while let end = old[start...].firstIndex(of: UInt8(ascii: "\n")) {
            let line = old[start...end]
            if line.count > length { lines[Array(line.prefix(length))] = line }
            start = end + 1
        }
        return lines
    }
}
