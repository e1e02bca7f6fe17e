package import Apod
package import Archive
internal import Files

/// favorites.json: the favorites, for other programs, and for the day on which the catalog is lost.
package struct FavoritesList: Sendable {
    package static let file = "favorites.json"
    private static let portion = 512

    private let tree: Tree
    private let catalog: Catalog

    package init(tree: Tree, catalog: Catalog) {
        self.tree = tree
        self.catalog = catalog
    }

    package static func json(_ favorites: [Favorite]) -> JSON { .array(favorites.map(json)) }

    private static func json(_ favorite: Favorite) -> JSON {
        var members: [(String, JSON)] = [
            ("date", .string("\(favorite.day)")),
            ("title", .optional(favorite.title)),
            ("picture", .optional(favorite.picture)),
            ("links", .array(favorite.links.map { .string("\($0)") })),
            ("albums", .array(favorite.albums.map(JSON.string))),
            ("added", .string(Time.text(favorite.added))),
        ]
        if !favorite.vanished.isEmpty {
            members.append(("vanished", .array(favorite.vanished.map { .string("\($0)") })))
        }
        return .object(members)
    }

    /// Replaces the file, if it says anything else.
    package func write() throws(ArchiveError) {
        // Two programs may have something to write: the one that reads last writes last.
        let turn = try ArchiveError.wrapping { () throws(DiskError) in try tree.own.locked() }
        defer { withExtendedLifetime(turn) {} }
        let (new, count) = try written()
        try ArchiveError.wrapping { () throws(DiskError) in
            let isMissing = try tree.root.facts(of: Self.file) == nil
            if isMissing ? count == 0 : isWritten(new) { return try tree.unfinished.remove(Self.file) }
            try Staged(new, in: tree.unfinished, as: Self.file, bytes: try new.facts().bytes)
                .publish(in: tree.root, as: Self.file)
            try tree.root.sync()
        }
    }

    private func isWritten(_ new: File) -> Bool {
        (try? tree.root.file(Self.file).map { old throws(DiskError) in try new.isEqual(to: old) }) == true
    }

    /// Under a name that is not final, a few favorites after the other: there may be very many links.
    private func written() throws(ArchiveError) -> (file: File, count: Int) {
        let file = try ArchiveError.wrapping { () throws(DiskError) in try tree.unfinished.makeFile(Self.file) }
        do throws(ArchiveError) {
            return (file, try write(into: file))
        } catch {
            try? tree.unfinished.remove(Self.file)
            throw error
        }
    }

    /// Returns how many there are.
    private func write(into file: File) throws(ArchiveError) -> Int {
        var paper = Paper(file: file)
        var last: Day?
        while true {
            let some = try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.favorites(after: last, atMost: Self.portion)
            }
            try ArchiveError.wrapping { () throws(DiskError) in
                if some.isEmpty { try paper.finish() } else { try paper.add(some.map(Self.json)) }
            }
            if some.isEmpty { break }
            last = some.last?.day
        }
        return paper.count
    }

    private static let longest = 256 << 20

    /// Enters what the file tells into a catalog that has been made anew.
    package func recall() throws(ArchiveError) {
        guard let bytes = try? tree.root.file(Self.file)?.contents(atMost: Self.longest),
            let items = (try? JSONText(bytes))?.elements
        else { return }
        let favorites = items.compactMap(Self.favorite)
        try ArchiveError.wrapping { () throws(CatalogError) in try catalog.recall(favorites) }
    }

    private static func favorite(_ text: JSONText) -> Favorite? {
        guard let members = text.members, let day = (members["date"]?.string).flatMap({ Day($0) }) else { return nil }
        func places(_ key: String) -> [Place] {
            (members[key]?.elements ?? []).compactMap { $0.string.flatMap { Place(path: Array($0.utf8)) } }
        }
        let added = (members["added"]?.string).flatMap(Time.seconds) ?? 0
        let favorite = Favorite(
            day: day, added: added, title: nil, picture: nil, links: places("links"), vanished: places("vanished"))
        return favorite.links.isEmpty && favorite.vanished.isEmpty ? nil : favorite
    }
}

/// Writes the items of an array into a file as `JSON.document` would.
private struct Paper {
    let file: File
    private(set) var count = 0

    init(file: File) { self.file = file }

    mutating func add(_ items: [JSON]) throws(DiskError) {
        var bytes: [UInt8] = []
        for item in items {
            bytes += (count == 0 ? "[\n  " : ",\n  ").utf8
            item.write(to: &bytes, indent: 1)
            count += 1
        }
        try file.append(bytes)
    }

    func finish() throws(DiskError) { try file.append(Array((count == 0 ? "[]\n" : "\n]\n").utf8)) }
}

extension File {
    fileprivate func isEqual(to other: File) throws(DiskError) -> Bool {
        let size = try facts().bytes
        guard try other.facts().bytes == size else { return false }
        let piece = 64 << 10
        for offset in stride(from: 0, to: size, by: piece)
        where try bytes(at: offset, count: piece) != other.bytes(at: offset, count: piece) { return false }
        return true
    }
}
