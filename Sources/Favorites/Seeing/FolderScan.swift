internal import Apod
internal import Catalog
internal import Files
import Glibc
internal import Watching

/// A scan of the whole favorites folder: the new `FavoritesState`, and what the catalog is to record.
struct FolderScan {
    private(set) var state: FavoritesState
    private(set) var change = FolderChange()
    /// All days with links or known copies in the folder.
    private(set) var days: Set<Day> = []
    /// Files that may be copies of pictures, unknown to the catalog.
    private(set) var copies: [Place] = []
    private let catalog: Catalog
    private let now: FavoritesState.Moment
    /// Things that the catalog lists as not understood and the scan has not met yet.
    private var listed: [Place: UnrecognisedReason] = [:]
    private var seen: Set<Album> = []
    private var unread: [Album] = []

    init(_ state: FavoritesState, _ catalog: Catalog, at now: FavoritesState.Moment) {
        (self.state, self.catalog, self.now) = (state, catalog, now)
        _ = self.state.takeDue()
    }

    /// `top`: the favorites folder, if that is open already. Throws only if the catalog fails.
    mutating func run(_ resolver: LinkResolver, top: Folder? = nil) throws(StorageError) {
        for (place, why) in try catalog.unrecognised(atMost: .max) { listed[place] = why }
        try Album.walk(in: resolver.root, top: top, isStopped: resolver.isStopped) {
            (album, folder) throws(StorageError) in
            do throws(StorageError) { return try look(into: folder.get(), album, resolver) } catch {
                guard error.isOfSystem else { throw error }
                if error.isNoAlbum { return [] }
                unread.append(album)
                state.spare(album, error)
                return []
            }
        }
        for album in try catalog.albums() where !seen.contains(album) && !unread.contains(where: album.isInside) {
            try miss(catalog.links(in: album), in: album)
        }
        for place in listed.keys { change.unrecognised[place] = .some(nil) }
        state.hasScanned = true
    }

    /// Returns the names of the albums in this one.
    private mutating func look(
        into folder: Folder, _ album: Album, _ resolver: LinkResolver
    ) throws(StorageError) -> [Name] {
        var missing = try catalog.links(in: album)
        let albums = try resolver.look(into: folder, album) { sighting in
            let known = missing.removeValue(forKey: sighting.place.name) ?? []
            if let day = sighting.day { days.insert(day) }
            if sighting.finding == .copy { note(copy: sighting.place, known) }
            see(sighting, known)
        }
        seen.insert(album)
        miss(missing, in: album)
        return albums
    }

    private mutating func note(copy place: Place, _ known: [KnownLink]) {
        if let copy = known.first(where: { !$0.isLink }) { days.insert(copy.link.day) } else { copies.append(place) }
    }

    private mutating func miss(_ links: [Name: [KnownLink]], in album: Album) {
        for (name, known) in links {
            see(Sighting(place: Place(name, in: album)), known)
        }
    }

    private mutating func see(_ sighting: Sighting, _ known: [KnownLink]) {
        let listed = self.listed.removeValue(forKey: sighting.place)
        state.see(sighting, known, listed: listed, isHinted: false, at: now, &change)
    }
}

extension StorageError {
    /// The album is gone: it was deleted, or something else has its name.
    var isNoAlbum: Bool { isNoFolder || code == ENOENT }
}
