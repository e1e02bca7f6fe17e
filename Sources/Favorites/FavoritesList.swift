package import Apod
package import Archive
internal import Files

/// favorites.json: the favorites, for other programs, and for the day on which the catalog is lost.
package struct FavoritesList: Sendable {
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
        let favorites = try ArchiveError.wrapping { () throws(CatalogError) in try catalog.favorites() }
        let document = Self.json(favorites).document
        try ArchiveError.wrapping { () throws(DiskError) in
            if let old = try? tree.root.file(Tree.favoritesList)?.contents(atMost: document.count), old == document {
                return
            }
            if favorites.isEmpty, try tree.root.facts(of: Tree.favoritesList) == nil { return }
            try Staged(document, in: tree.unfinished, as: Tree.favoritesList).publish(
                in: tree.root, as: Tree.favoritesList)
            try tree.root.sync()
        }
    }
}
