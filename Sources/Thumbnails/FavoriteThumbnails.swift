package import Apod
internal import Archive
internal import Catalog
package import Files
import Glibc
import Synchronization
internal import Watching

/// Thumbnails of the links in the favorites folder and its albums, each beside its link. They are those of the pictures,
/// with the link's name in them.
package final class FavoriteThumbnails: Sendable {
    private let thumbnails: Thumbnails
    /// What the albums were when this was last here; nil before the first time.
    private let albums = Mutex<[Album: Int]?>(nil)

    /// More in one folder, nobody looks through.
    private static let mostLinks = 20_000

    package init(_ thumbnails: Thumbnails) { self.thumbnails = thumbnails }

    /// Looks into the albums whose links, or whose pictures, have become others; the first time, into all.
    package func update(unless isStopped: () -> Bool = { false }) throws(StorageError) {
        guard thumbnails.uses.contains(.fileManagers) else { return }
        let marks = try thumbnails.catalog.sharedAlbums()
        guard var known = albums.withLock(\.self) else {
            for case (let album, .success(let folder)) in AlbumWalk(in: thumbnails.tree.root) {
                if isStopped() { return }
                try update(album, unless: isStopped) { folder }
            }
            if isStopped() { return }
            return albums.withLock { $0 = marks }
        }
        let own = OwnFolders(of: thumbnails.tree.root)
        for album in Set(marks.keys).union(known.keys) where marks[album] != known[album] {
            try update(album, unless: isStopped) { () throws(StorageError) in try own.album(album) }
            if isStopped() { break }
            known[album] = marks[album]
        }
        albums.withLock { $0 = known }
    }

    /// Has the albums looked into that have links to a day: its thumbnails were made again.
    package func forget(_ day: Day) throws(StorageError) {
        let places = try thumbnails.catalog.links(to: day)
        albums.withLock { albums in for place in places { albums?[place.album] = nil } }
    }

    private func update(
        _ album: Album, unless isStopped: () -> Bool, _ open: () throws(StorageError) -> Folder?
    ) throws(StorageError) {
        let links = try thumbnails.catalog.sharedLinks(in: album, atMost: Self.mostLinks)
        try thumbnails.passing { () throws(StorageError) in
            guard let folder = try open() else { return }
            let facts = try folder.facts()
            // What root made in there, whose folder it is could not delete.
            let isPrivate = facts.owner != geteuid() && facts.permissions & 0o020 == 0
            var names: Set<String> = []
            var repository: SharedRepository?
            // One month after the other is open.
            for links in Dictionary(grouping: isPrivate ? [] : links, by: \.day.folder).values {
                guard let month = try Tree.existingFolder(of: links[0].day, in: thumbnails.tree.root),
                    let source = try SharedRepository(in: month)
                else { continue }
                for link in links {
                    if isStopped() { return }
                    guard try source.folders[0].facts(of: SharedThumbnailName(link.file).names[0]) != nil,
                        try isShown(link, in: folder, month)
                    else { continue }
                    if repository == nil { repository = try SharedRepository(in: folder, makes: true) }
                    guard let repository else { return }
                    let name = SharedThumbnailName(link.name.bytes)
                    if try copy(SharedThumbnailName(link.file), in: source, as: name, in: repository) {
                        names.formUnion(name.names)
                    }
                }
            }
            try SharedRepository.removeOwn(in: folder, besides: names, unless: isStopped)
        }
    }

    /// What leads to the file as everybody's file managers see it.
    private func isShown(_ link: Catalog.SharedLink, in folder: Folder, _ month: Folder) throws(StorageError) -> Bool {
        guard let facts = try folder.facts(of: link.name) else { return false }
        if facts.kind == .link { return true }
        let original = try month.facts(of: link.file)
        return facts.isRegular && facts.identity == original?.identity
    }

    /// Returns false where there is nothing to copy.
    private func copy(
        _ name: SharedThumbnailName, in source: SharedRepository, as copy: SharedThumbnailName,
        in repository: SharedRepository
    ) throws(StorageError) -> Bool {
        for index in repository.folders.indices {
            guard let facts = try source.folders[index].facts(of: name.names[0]), facts.isRegular else { return false }
            let size = facts.bytes + copy.uri.utf8.count - name.uri.utf8.count
            var isThere = true
            for name in copy.names {
                let own = try repository.folders[index].facts(of: name)
                isThere = isThere && own?.isRegular == true && own?.bytes == size && own?.modified == facts.modified
            }
            if isThere { continue }
            if copy.uri == name.uri {
                try repository.putLink(to: source, of: copy, modified: facts.modified, index)
            } else {
                guard let thumbnail = try source.thumbnail(of: name, index) else { return false }
                try thumbnails.tree.root.checkRoom()
                try repository.put(thumbnail, of: copy, modified: facts.modified, index)
            }
        }
        return true
    }
}
