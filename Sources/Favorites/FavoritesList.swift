package import Apod
package import Archive
internal import Files

/// favorites.json: the favorites, for other programs, and for the day on which the catalog is lost.
package struct FavoritesList: Sendable {
    package static let file = "favorites.json"

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
        let turn = try ArchiveError.wrapping { () throws(DiskError) in try tree.own.locked("\(Self.file).lock") }
        defer { withExtendedLifetime(turn) {} }
        let favorites = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.favorites() }
        let document = Self.json(favorites).document
        try ArchiveError.wrapping { () throws(DiskError) in
            if let old = try? tree.root.file(Self.file)?.contents(atMost: document.count), old == document { return }
            if favorites.isEmpty, try tree.root.facts(of: Self.file) == nil { return }
            try Staged(document, in: tree.unfinished, as: Self.file).publish(in: tree.root, as: Self.file)
            try tree.root.sync()
        }
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
