package import Apod
package import Files
import Glibc
package import Store

extension Name {
    package static let favorites = Name(Tree.favorites)!
}

extension Album {
    package static let deepest = AlbumName.deepest

    package func path(below root: String) -> [UInt8] {
        let favorites = "\(root)/\(Name.favorites)".bytes
        return self == .top ? favorites : favorites + "/".utf8 + path
    }
}

extension Folder {
    /// Opens the favorites folder in the mirror's root, or an album in it; nil if there is none. What is mounted there
    /// is not entered (EXDEV).
    package func favorites(_ album: Album) throws -> Folder? {
        var folder = try folderOnSameMount(Name.favorites)
        for name in album.names { folder = try folder?.folderOnSameMount(name) }
        return folder
    }

    /// The same, made with the albums around it where it is missing.
    package func makeFavorites(_ album: Album) throws -> Folder {
        var folder = self
        for name in [Name.favorites] + album.names {
            if try folder.folderOnSameMount(name) == nil { _ = try folder.makeFolder(name, shared: true) }
            folder = try folder.existingFolder(name)
        }
        return folder
    }

    /// Opens the favorites folder; throws if there is none.
    package func existingFavorites() throws -> Folder { try existingFolder(.favorites) }

    /// Opens a folder in this one; throws if there is none.
    package func existingFolder(_ name: Name) throws -> Folder {
        guard let folder = try folderOnSameMount(name) else { throw Problem("open", path(of: name), code: ENOENT) }
        return folder
    }

    /// The names of the albums in this folder.
    package func albums() throws -> [Name] {
        var albums: [Name] = []
        try visit { name, kind in
            if name.isHidden { return }
            let kind = if let kind { kind } else { try self.kind(of: name) }
            if kind == .folder { albums.append(name) }
        }
        return albums
    }
}

extension Album {
    /// Visits the favorites folder in the mirror's root and the albums in it, outer ones first. `top`: the favorites
    /// folder, if that is open already. `visit` gets each folder, or why it cannot be opened, and returns the names of
    /// the albums in it that are to be visited.
    package static func walk(
        in root: Folder, top: Folder? = nil, unless isStopped: () -> Bool = { Task.isCancelled },
        visit: (Album, Result<Folder, any Error>) throws -> [Name]
    ) throws {
        let top = Result { if let top { top } else { try root.existingFavorites() } }
        try Album.top.walk(top, isStopped, visit)
    }

    private func walk(
        _ folder: Result<Folder, any Error>, _ isStopped: () -> Bool,
        _ visit: (Album, Result<Folder, any Error>) throws -> [Name]
    ) throws {
        let albums = try visit(self, folder)
        guard case .success(let folder) = folder, depth < Self.deepest else { return }
        for name in albums where !isStopped() {
            let inner = Result { try folder.existingFolder(name) }
            try self.inner(name).walk(inner, isStopped, visit)
        }
    }
}

extension Problem {
    /// The album is gone: it was deleted, or something else has its name.
    var isNoAlbum: Bool { isNoFolder || errorNumber == ENOENT }
}

extension Tree {
    /// Why there is no favorites folder that can be read; nil if there is one, or if no file can be opened now.
    package static func favoritesLack(in root: String) -> Problem? {
        do {
            _ = try Folder.open(root).existingFavorites()
            return nil
        } catch {
            let (why, path) = (error.problem, favoritesPath(in: root))
            if why.isOfProcess { return nil }
            if why.isMissing { return Problem(.folderMissing, path: path) }
            return why.isNoFolder ? Problem(.folderTaken, path: path) : Problem("open", path, code: why.errorNumber)
        }
    }
}

extension FavoritesLog {
    /// The same; nil for a missing folder as long as there are no favorites.
    package func lack(in root: String) -> Problem? {
        Tree.favoritesLack(in: root).flatMap { $0.code == .folderMissing && known.isEmpty ? nil : $0 }
    }
}
