package import Apod
package import Archive
package import Catalog
package import Files
import Glibc

/// Makes and deletes links in the favorites folder, as a person would. It leaves the history to the `Reconciler`, which
/// finds these changes like any other.
package struct FavoritesEditor {
    let root: Folder
    let catalog: Catalog
    let log: FavoritesLog
    private let resolver: LinkResolver
    private let folders: FolderFlush

    package init(root: String, catalog: Catalog, favorites: FavoritesLog) throws(StorageError) {
        self.root = try Folder.open(root)
        (self.catalog, log) = (catalog, favorites)
        resolver = LinkResolver(root: self.root, catalog: catalog, favorites: favorites)
        folders = FolderFlush(root: self.root)
    }

    /// Makes a link to a picture, or one that asks for the day. Returns nil if there is one already: in this album, or,
    /// for the top, anywhere.
    package func add(_ subject: Subject, to album: Album = .top) throws(StorageError) -> Place? {
        if links(to: subject).contains(where: { album == .top || $0.album == album }) { return nil }
        return try link(subject, in: album)
    }

    private func link(_ subject: Subject, in album: Album) throws(StorageError) -> Place {
        let name = Name(try view(of: subject) ?? subject.front)!
        return try make(Link(Place(name, in: album), to: subject)) { _ in false }.place
    }

    /// Makes the favorites folder if it is missing and no link was in it. Returns whether it did.
    package func makeFolder() throws(StorageError) -> Bool {
        guard lack == .missing, !hasFavorites else { return false }
        _ = try root.makeFavorites(.top)
        return true
    }

    /// Makes a link at the top if all links to a subject are in this album, so that it stays a favorite without them.
    package func keep(_ subject: Subject, without album: Album, found: [Place]) throws(StorageError) -> Place? {
        let places = links(to: subject, found)
        return places.isEmpty || places.contains { $0.album != album } ? nil : try link(subject, in: .top)
    }

    /// Deletes the links to a subject that the history has or that were `found`, all or those in an album. Anything else
    /// in their places stays.
    package func remove(_ subject: Subject, from album: Album? = nil, found: [Place]) throws(StorageError) -> [Place] {
        let places = links(to: subject, found).filter { album == nil || $0.album == album }
        for place in places { try root.favorites(place.album)?.remove(place.name) }
        return places
    }

    /// False for a new album where there are many: the web could make them without end, and each is watched.
    package func hasRoom(for album: Album) -> Bool {
        if (try? root.favorites(album)) != nil { return true }
        var count = 0
        try? root.favorites(.top)?.visit { name, kind in if kind == .folder, !name.isHidden { count += 1 } }
        return count < Self.mostAlbums
    }

    private static let mostAlbums = 100

    /// The links in the folder, also those that the history does not have yet.
    package func findLinks() throws(StorageError) -> [Subject: [Place]] {
        try FavoritesSnapshot(at: root, log, catalog).links
    }

    private func links(to subject: Subject, _ found: [Place]) -> [Place] {
        let known = links(to: subject)
        return known + found.filter { !known.contains($0) && leads($0, to: subject) }
    }

    /// The links to a subject that the history has and that are in the folder.
    private func links(to subject: Subject) -> [Place] {
        log.known.links(to: [subject]).map(\.link.place).filter { leads($0, to: subject) }
    }

    /// Returns when the changes in these places are on the disk.
    package func sync(_ places: Set<Place>) throws(StorageError) {
        try folders.sync(Set(places.map(\.album)))
    }

    private func leads(_ place: Place, to subject: Subject) -> Bool { link(at: place)?.subject == subject }

    /// The subject and file that a thing in the folder leads to or is a copy of.
    func link(at place: Place) -> Link? {
        guard let folder = try? root.favorites(place.album) else { return nil }
        let sighting = resolver.look(at: place, in: folder)
        switch sighting.finding {
        case .favorite(let subject, let file): return Link(place, to: subject, file: file)
        case .copy:
            guard let original = try? resolver.wholeOriginal(ofCopy: place.name, in: folder) else { return nil }
            return Link(place, to: original.subject, file: original.name)
        default: return nil
        }
    }

    private var hasFavorites: Bool { !log.known.isEmpty }
    package func isFavorite(_ subject: Subject) -> Bool { log.known.isFavorite(subject) }

    package func isToCome(_ subject: Subject) -> Bool { resolver.isToCome(subject.day) }

    package func isHere(_ subject: Subject) -> Bool { (try? view(of: subject)) != nil }

    /// Why no link can be made or deleted; nil if it can. In a new folder without the links of the other favorites, these
    /// would end: only `restoring` makes it, with them.
    package func failure(restoring: Bool) throws(StorageError) -> Failure? {
        guard let lack, lack != .missing || hasFavorites && !restoring else { return nil }
        // An error of the system is told with what to do about it.
        if case .unreadable(let number) = lack {
            throw StorageError("open", Tree.favoritesPath(in: root.path), code: number)
        }
        return lack.failure(in: root.path)
    }

    var lack: FavoritesLack? { FavoritesLack(in: root.path) }

    /// The name of the picture, video or page; nil while there is none.
    func view(of subject: Subject) throws(StorageError) -> String? {
        try catalog.status(of: subject)?.whole?.view
    }

    /// True also in an album that cannot be read: a thing there is not known to be gone.
    func isTaken(_ place: Place) -> Bool {
        do throws(StorageError) {
            return try root.favorites(place.album)?.kind(of: place.name) != nil
        } catch {
            return !error.isNoFolder
        }
    }

    func make(
        _ link: Link, unless isThere: (Place) -> Bool
    ) throws(StorageError) -> (place: Place, wasThere: Bool) {
        let file = if let file = link.file { file } else { try view(of: link.subject) }
        let album = link.place.album
        let target =
            file.map { LinkTarget.own($0, of: link.subject, in: album.depth) }
            ?? LinkTarget.asking(for: link.subject, in: album.depth)
        let folder = try root.makeFavorites(album)
        var number = 1
        while true {
            let name = link.place.name.numbered(number)
            let place = Place(name, in: album)
            do throws(StorageError) {
                try folder.makeLink(name, to: target)
                return (place, false)
            } catch {
                guard error.code == EEXIST else { throw error }
            }
            if isThere(place) { return (place, true) }
            number += 1
        }
    }
}
