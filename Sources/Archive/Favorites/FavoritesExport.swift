package import Apod
import Catalog
package import Files
import Synchronization

/// favorites.json: the favorites, for other programs and backups, with the links that went within a year; behind the
/// favorites, those that ended. It is read once, where there is no history.
package struct FavoritesExport: Sendable {
    private let tree: Tree
    private let catalog: Catalog
    private let favorites: FavoritesLog

    private static let longest = 256 << 20
    /// The file as it was last found to be the mirror's.
    private static let own = Mutex<File.Facts?>(nil)

    package init(_ archive: Archive) {
        (tree, catalog, favorites) = (archive.tree, archive.catalog, archive.favorites)
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
            favorite.subject.members + [
                ("title", JSON.optional(favorite.title)), ("picture", JSON.optional(favorite.picture)),
                ("links", .strings(favorite.links.map(\.description))), ("albums", .strings(favorite.albums)),
                ("added", .moment(favorite.added)), ("ended", favorite.ended.map(JSON.moment)),
                ("removed", gone.isEmpty ? nil : .array(gone)), ("files", files.isEmpty ? nil : .object(files)),
            ])
    }

    /// The file's name, if something that is not the mirror's has it.
    package static func occupied(in root: Folder) -> String? {
        guard let facts = try? root.facts(of: Tree.favoritesList) else { return nil }
        if own.withLock({ $0?.isSame(as: facts) == true }) { return nil }
        guard facts.isRegular, (try? elements(in: root)) != nil else { return Tree.favoritesList }
        own.withLock { $0 = facts }
        return nil
    }

    /// nil for what is no list of favorites: NASA's lists begin with dates, too, but have no `links`. Nothing is lost with
    /// an empty file.
    private static func elements(in root: Folder) throws -> [JSONText]? {
        let bytes = try root.file(Tree.favoritesList)?.contents(atMost: longest) ?? []
        if bytes.isEmpty { return [] }
        let elements = (try? JSONText(bytes))?.elements
        return elements?.first.map { $0["links"] == nil } == true ? nil : elements
    }

    /// Writes the file where it lags behind the history, or is away. `anew`: also where titles or files may be others.
    /// Returns false if something that is not the mirror's has its name.
    package func write(anew: Bool = false) throws -> Bool {
        let (name, folder, known, length) = (Tree.favoritesList, tree.unfinished, favorites.known, favorites.length)
        let isThere = try tree.root.kind(of: name) != nil
        if isThere, !anew, try catalog.fact(.exported) == length { return true }
        if Self.occupied(in: tree.root) != nil { return false }
        let subjects = [known.subjects, known.ended]
        if !isThere, subjects.allSatisfy(\.isEmpty) { return true }
        let file = try folder.makeFile(name)
        do {
            let bytes = try write(subjects, to: file)
            try Staged(file, in: folder, as: name, bytes: bytes).publishDurably(in: tree.root, as: name)
        } catch {
            try? folder.remove(name)
            throw error
        }
        try catalog.setFact(.exported, length)
        return true
    }

    /// Returns how many bytes were written.
    private func write(_ subjects: [Set<Subject>], to file: File) throws -> Int {
        var (document, bytes) = (JSONArrayDocument(), 0)
        func append(_ piece: [UInt8]) throws {
            try file.append(piece)
            bytes += piece.count
        }
        for subjects in subjects {
            try favorites.forEach(subjects, catalog) { favorite in
                document.append(Self.json(favorite, removed: favorite.removed))
                if let piece = document.take(atLeast: 256 << 10) { try append(piece) }
            }
        }
        try append(document.finished())
        return bytes
    }
}

extension FavoritesExport {
    /// What the file says, as lines of a history. `now`: the time to assume where it tells none.
    static func lines(in root: Folder, at now: Int) throws -> [HistoryLine] {
        // A folder or a link of this name is a person's.
        guard try root.kind(of: Tree.favoritesList) == .regular else { return [] }
        return (try elements(in: root) ?? []).flatMap { element -> [HistoryLine] in
            guard let members = element.members, let subject = Subject(members) else { return [] }
            let added = members["added"]?.moment ?? now
            // A link leads to the picture, unless `files` has another name.
            let picture = members["picture"]?.string.map {
                String(decoding: $0.utf8.split(separator: 0x2f).last ?? [], as: UTF8.self)
            }
            let files = members["files"]?.members ?? [:]
            func link(_ path: String?, _ file: String?) -> Link? {
                guard let path, let place = Place(path: Array(path.utf8)) else { return nil }
                return Link(place, to: subject, file: file.flatMap { Name($0)?.text })
            }
            let removed = (members["removed"]?.elements ?? []).compactMap { one -> RemovedLink? in
                guard let went = one["time"]?.moment, let link = link(one["link"]?.string, one["file"]?.string)
                else { return nil }
                return RemovedLink(link, went: went)
            }
            let links = (members["links"]?.elements ?? []).compactMap { one in
                one.string.flatMap { link($0, files[$0]?.string ?? picture) }
            }
            return (removed.map(\.link) + links).map { HistoryLine(.came, $0, at: added) }
                + removed.sorted { $0.went < $1.went }.map { HistoryLine(.went, $0.link, at: $0.went) }
        }
    }
}
