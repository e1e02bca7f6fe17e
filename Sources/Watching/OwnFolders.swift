internal import Archive
package import Catalog
package import Files
import Glibc

/// The mirror's own folders, which are no albums where they are mounted among the favorites: its root, the favorites
/// folder itself, the years, the gallery, what the mirror keeps for itself, and all that is in these.
///
/// For one piece of work: what is mounted is read at most once.
package final class OwnFolders {
    private let root: Folder
    private let rootIdentity: File.Identity?
    /// Of the favorites folder that was met last.
    private var top: File.Identity?
    private lazy var mounts = MountTable()
    private lazy var rootPlace = mounts.place(of: root)
    /// The trees that are on other disks.
    private lazy var mounted = mounts.mounts(below: root).filter { Self.isTree($0.names) }.map(\.place)

    package init(of root: Folder) {
        self.root = root
        rootIdentity = try? root.identity()
    }

    /// Whether the folder of an album is one of them. That of those around it is asked before.
    package func contains(_ folder: Folder, at album: Album) -> Bool {
        guard let identity = try? folder.identity() else { return false }
        if album == .top { top = identity } else if identity == top { return true }
        // No other comes here without a mount.
        return identity == rootIdentity || folder.isMount && isInTree(folder)
    }

    private func isInTree(_ folder: Folder) -> Bool {
        guard let place = mounts.place(of: folder) else { return false }
        if let names = rootPlace.flatMap(place.names), names.isEmpty || Self.isTree(names) { return true }
        return mounted.contains { place.names(below: $0) != nil }
    }

    private static func isTree(_ names: MountTable.Names) -> Bool {
        names.first.map { Tree.isOwn(String(decoding: $0, as: UTF8.self)) } ?? false
    }

    /// The folder of an album; nil if there is none, and where it is in one of these.
    package func album(_ album: Album) throws(StorageError) -> Folder? {
        guard var folder = try root.folder(Tree.favorites), !contains(folder, at: .top) else { return nil }
        for (name, inner) in zip(album.names, album.way.dropFirst()) {
            guard let next = try folder.folder(name), !contains(next, at: inner) else { return nil }
            folder = next
        }
        return folder
    }

    /// The same, made with those around it where it is missing.
    package func makeAlbum(_ album: Album) throws(StorageError) -> Folder {
        var folder = try checked(try root.makeFolder(Tree.favorites, shared: true), at: .top)
        for (name, inner) in zip(album.names, album.way.dropFirst()) {
            folder = try checked(try folder.makeFolder(name, shared: true), at: inner)
        }
        return folder
    }

    private func checked(_ folder: Folder, at album: Album) throws(StorageError) -> Folder {
        guard contains(folder, at: album) else { return folder }
        throw StorageError("make links in a folder of the mirror's own, which is mounted at", folder.path, code: EBUSY)
    }
}
