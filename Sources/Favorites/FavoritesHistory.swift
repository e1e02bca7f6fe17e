package import Apod
package import Archive
package import Catalog
package import Files

/// Every change of the favorites, oldest first: a file of one JSON object a line, which is only appended to.
package struct FavoritesHistory: Sendable {
    private static let name = "history"
    private static let newLine = UInt8(ascii: "\n")

    private let own: Folder

    package init(_ tree: Tree) { own = tree.own }

    /// Appends entries on a new line: the last one may have been cut off.
    func append(_ entries: [HistoryEntry]) throws(StorageError) {
        if entries.isEmpty { return }
        let file = try own.makeFile(Self.name, keeping: true)
        let size = try file.facts().bytes
        let last = size > 0 ? try file.bytes(at: size - 1, count: 1) : [Self.newLine]
        var bytes = last == [Self.newLine] ? [] : [Self.newLine]
        for entry in entries { bytes += Self.json(entry).compact + [Self.newLine] }
        // Sets the file offset to the end, where the bytes are written.
        try file.truncate(to: size)
        try file.append(bytes)
    }

    func sync() throws(StorageError) {
        try own.file(Self.name)?.sync()
        try own.sync()
    }

    /// Reads the history of the mirror in `root`. Lines that are no entries are skipped.
    package static func entries(in root: Folder) throws(StorageError) -> [HistoryEntry] {
        guard let file = try root.folder(Tree.ownFolder)?.file(name) else { return [] }
        return try file.stream().split(separator: newLine).compactMap { entry(Array($0)) }
    }

    package static func json(_ entry: HistoryEntry) -> JSON {
        .sparse([
            ("time", .moment(entry.moment)), ("change", .string(entry.kind.rawValue)), ("date", .day(entry.day)),
            ("link", JSON.optional(entry.link)), ("was", entry.was.map(JSON.string)),
        ])
    }

    private static func entry(_ line: [UInt8]) -> HistoryEntry? {
        guard let members = (try? JSONText(line))?.members,
            let moment = members["time"]?.moment,
            let kind = (members["change"]?.string).flatMap(HistoryEntry.Kind.init),
            let day = members["date"]?.day
        else { return nil }
        return HistoryEntry(kind, day, at: moment, link: members["link"]?.string, was: members["was"]?.string)
    }
}
