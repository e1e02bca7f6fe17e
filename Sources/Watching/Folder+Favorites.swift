internal import Archive
package import Catalog
package import Files
import Glibc

extension Name {
    package static let favorites = Name(Tree.favorites)!
}

extension Album {
    /// Deeper folders are not looked into.
    package static let deepest = 32

    package func path(below root: String) -> [UInt8] {
        let favorites = Array("\(root)/\(Name.favorites)".utf8)
        return self == .top ? favorites : favorites + "/".utf8 + path
    }

    /// The system can watch no longer path (inotify_add_watch(2)).
    package func canBeWatched(below root: String) -> Bool { path(below: root).count < Int(PATH_MAX) }
}

extension Folder {
    /// Of the mirror's root: the favorites folder, or an album in it; nil if there is none.
    package func favorites(_ album: Album) throws(StorageError) -> Folder? {
        var folder = try folder(Tree.favorites)
        for name in album.names { folder = try folder?.folder(name) }
        return folder
    }

    /// The folder of this name in here; that there is none is an error, too.
    package func existingFolder(_ name: Name) throws(StorageError) -> Folder {
        guard let folder = try folder(name) else { throw StorageError("open", path(of: name), code: ENOENT) }
        return folder
    }
}
