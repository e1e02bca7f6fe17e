package import Apod
import Files

/// favorites.json: the favorites, for other programs and backups, with the links that went within a year; behind the
/// favorites, those that ended. `FavoritesFile` reads it.
package struct FavoritesExport: Sendable {
    private let tree: Tree
    private let catalog: Catalog
    private let favorites: FavoritesLog

    package init(_ tree: Tree, _ catalog: Catalog, _ favorites: FavoritesLog) {
        (self.tree, self.catalog, self.favorites) = (tree, catalog, favorites)
    }

    /// For `favorites list --json`: without the links that went.
    package static func json(_ favorites: [Favorite]) -> JSON { .array(favorites.map { json($0) }) }

    private static func json(_ favorite: Favorite, removed: [RemovedLink] = []) -> JSON {
        let files = favorite.links.compactMap { place in favorite.files[place].map { ("\(place)", JSON.string($0)) } }
        let gone = removed.map { removed in
            JSON.sparse([
                ("link", .string("\(removed.link.place)")), ("time", .moment(removed.went)),
                ("file", removed.link.file.map(JSON.string)),
            ])
        }
        return .sparse(
            favorite.key.members(id: favorite.id) + [
                ("title", JSON.optional(favorite.title)), ("picture", JSON.optional(favorite.picture)),
                ("links", .strings(favorite.links.map(\.description))), ("albums", .strings(favorite.albums)),
                ("added", .moment(favorite.added)), ("ended", favorite.ended.map(JSON.moment)),
                ("removed", gone.isEmpty ? nil : .array(gone)), ("files", files.isEmpty ? nil : .object(files)),
            ])
    }

    /// Writes the file where it lags behind the history, or is away. `anew`: also where titles or files may be others.
    /// Returns false if something that is not the mirror's has its name.
    package func write(anew: Bool = false) throws -> Bool {
        let (name, folder, known, length) = (Tree.favoritesList, tree.unfinished, favorites.known, favorites.length)
        let isThere = try tree.root.kind(of: name) != nil
        if isThere, !anew, try catalog.fact(.exported) == length { return true }
        let keys = [known.keys, known.ended]
        if !isThere, keys.allSatisfy(\.isEmpty) { return true }
        let file = try folder.makeFile(name)
        do {
            let bytes = try write(keys, to: file)
            let staged = try Staged(file, in: folder, as: name, bytes: bytes)
            // At the end: with very many favorites, somebody else's file may come meanwhile.
            guard FavoritesFile.occupied(in: tree.root) == nil else {
                staged.discard()
                return false
            }
            let facts = try file.facts()
            try staged.publishDurably(in: tree.root, as: name)
            FavoritesFile.remember(facts)
        } catch {
            try? folder.remove(name)
            throw error
        }
        try catalog.setFact(.exported, length)
        return true
    }

    /// Returns how many bytes were written.
    private func write(_ keys: [Set<Key>], to file: File) throws -> Int {
        var (document, bytes) = (JSONArrayDocument(), 0)
        func append(_ piece: [UInt8]) throws {
            try file.append(piece)
            bytes += piece.count
        }
        for keys in keys {
            try favorites.forEach(keys, catalog) { favorite in
                document.append(Self.json(favorite, removed: favorite.removed))
                if let piece = document.take(atLeast: 256 << 10) { try append(piece) }
            }
        }
        try append(document.finished())
        return bytes
    }
}
