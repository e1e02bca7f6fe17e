internal import Apod
internal import Archive
internal import Files

/// The frame of a script in `gallery/data` that is made from its former self: each line begins with a key, which names
/// what the line was made from, and the head has a digest of all keys. Only lines whose key is new are made.
struct KeyedScript {
    let name: String
    let version: String
    /// The script before and after the lines.
    let ends: (opening: String, closing: String)
    /// All of one length.
    let keys: [[UInt8]]

    struct Line {
        let bytes: [UInt8]
        /// False if something of it could not be read. The next run then tries again.
        var isWhole = true
    }

    private var head: [UInt8] { head(Digest(of: Array(keys.joined()))) }

    /// `all`: nil if a line is not whole.
    private func head(_ all: Digest?) -> [UInt8] {
        Array("\(GeneratedFile.script)// \(version) \(all?.description ?? "-")\n\(ends.opening)\n".utf8)
    }

    func isUpToDate(_ beginning: [UInt8]?) -> Bool { beginning?.starts(with: head) ?? false }

    /// `old`: the present file. `make`: returns the line for the key at an index.
    func bytes(after old: [UInt8]?, _ make: (Int) throws(StorageError) -> Line) throws(StorageError) -> [UInt8] {
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
        return (isWhole ? head : head(nil)) + lines + "\(ends.closing)\n".utf8
    }

    /// Lines by their keys; none if another version wrote them.
    func lines(of old: [UInt8]) -> [[UInt8]: ArraySlice<UInt8>] {
        guard let length = keys.first?.count, old.starts(with: "\(GeneratedFile.script)// \(version) ".utf8) else {
            return [:]
        }
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
