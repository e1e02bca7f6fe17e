package import Apod
package import Archive
internal import Catalog
package import Files

/// favorites.json: an export of the favorites, for other programs and backups. It also has the links that went within a
/// year and, after the favorites, those that ended: a mirror whose history is lost reads them.
package struct FavoritesFile: Sendable {
    private let tree: Tree
    private let catalog: Catalog
    private let favorites: FavoritesLog

    package init(_ archive: Archive) {
        (tree, catalog, favorites) = (archive.tree, archive.catalog, archive.favorites)
    }

    /// For `favorites list --json`: without the links that went.
    package static func json(_ favorites: [Favorite]) -> JSON { .array(favorites.map { json($0) }) }

    private static func json(_ favorite: Favorite, removed: [RemovedLink] = []) -> JSON {
        let files = favorite.links.compactMap { place in favorite.files[place].map { ("\(place)", JSON.string($0)) } }
        let gone = removed.map(json)
        return .sparse(
            favorite.subject.members + [
                ("title", JSON.optional(favorite.title)),
                ("picture", JSON.optional(favorite.picture)),
                ("links", .strings(favorite.links.map(\.description))),
                ("albums", .strings(favorite.albums)),
                ("added", .moment(favorite.added)),
                ("ended", favorite.ended.map(JSON.moment)),
                ("removed", gone.isEmpty ? nil : .array(gone)),
                ("files", files.isEmpty ? nil : .object(files)),
            ])
    }

    private static func json(_ removed: RemovedLink) -> JSON {
        .sparse([
            ("link", .string("\(removed.link.place)")), ("time", .moment(removed.went)),
            ("file", removed.link.file.map(JSON.string)),
        ])
    }

    /// The file's name, if something that is not the mirror's has it.
    package static func occupied(in root: Folder) -> String? {
        guard (try? root.kind(of: Tree.favoritesList)) != nil, !isOwn(in: root) else { return nil }
        return Tree.favoritesList
    }

    private static let head = 4096

    private static func isOwn(in root: Folder) -> Bool {
        guard let file = try? root.file(Tree.favoritesList) else { return false }
        return (try? file.bytes(at: 0, count: head)).map(isOwn) == true
    }

    /// Whether a file begins like a list of favorites, of days or of items alone. NASA's lists begin with dates, too, but have no `links`. Nothing
    /// is lost with an empty file.
    private static func isOwn(_ bytes: [UInt8]) -> Bool {
        let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
        return text.isEmpty || text == "[]"
            || ["date", "list"].contains { text.hasPrefix("[{\"\($0)\":") } && text.contains("\"links\":[")
    }

    /// Replaces the file if its content changes. Returns false if something that is not the mirror's has its name.
    @discardableResult
    package func write() throws(StorageError) -> Bool {
        let (name, folder, known) = (Tree.favoritesList, tree.unfinished, favorites.known)
        let isThere = try tree.root.kind(of: name) != nil
        if isThere, !Self.isOwn(in: tree.root) { return false }
        let subjects = [known.subjects, known.ended]
        if !isThere, subjects.allSatisfy(\.isEmpty) { return true }
        let file = try folder.makeFile(name)
        var isPublished = false
        defer { if !isPublished { try? folder.remove(name) } }
        let bytes = try write(subjects, to: file)
        if let old = try? tree.root.file(name), (try? Digest(of: old)) == (try Digest(of: file)) { return true }
        try Staged(file, in: folder, as: name, bytes: bytes).publishDurably(in: tree.root, as: name)
        isPublished = true
        return true
    }

    /// Returns how many bytes were written.
    private func write(_ subjects: [Set<Subject>], to file: File) throws(StorageError) -> Int {
        var (document, bytes) = (JSONArrayDocument(), 0)
        func append(_ piece: [UInt8]) throws(StorageError) {
            try file.append(piece)
            bytes += piece.count
        }
        for subjects in subjects {
            try favorites.forEach(subjects, catalog) { favorite throws(StorageError) in
                document.append(Self.json(favorite, removed: favorite.removed))
                if let piece = document.take(atLeast: 256 << 10) { try append(piece) }
            }
        }
        try append(document.finished())
        return bytes
    }
}
