internal import Apod
internal import Archive
internal import Files
import Glibc

/// A scan of the whole favorites folder: the new `FavoritesState`, and what is to be recorded.
struct FolderScan {
    private(set) var state: FavoritesState
    private(set) var change = FolderChange()
    private let favorites: FavoritesLog
    private let now: FavoritesState.Moment
    /// Things that were left alone and the scan has not met yet.
    private var leftAlone: Set<Place>
    private var seen: Set<Album> = []
    private var unread: [Album] = []

    init(_ state: FavoritesState, _ favorites: FavoritesLog, at now: FavoritesState.Moment) {
        (self.state, self.favorites, self.now) = (state, favorites, now)
        leftAlone = Set(state.leftAlone.keys)
        _ = self.state.takeDue()
    }

    /// `top`: the favorites folder, if that is open already.
    mutating func run(_ resolver: LinkResolver, top: Folder? = nil) throws(StorageError) {
        try Album.walk(in: resolver.root, top: top) {
            (album, folder) throws(StorageError) in
            do throws(StorageError) { return try look(into: folder.get(), album, resolver) } catch {
                guard error.isOfSystem else { throw error }
                if error.isNoAlbum { return [] }
                unread.append(album)
                state.spare(album, error)
                return []
            }
        }
        for album in favorites.known.albums where !seen.contains(album) && !isUnread(album) {
            miss(favorites.known.names(in: album), in: album)
        }
        for place in leftAlone where !isUnread(place.album) { see(Sighting(place: place)) }
        state.scanned()
    }

    private func isUnread(_ album: Album) -> Bool { unread.contains(where: album.isInside) }

    /// Returns the names of the albums in this one.
    private mutating func look(
        into folder: Folder, _ album: Album, _ resolver: LinkResolver
    ) throws(StorageError) -> [Name] {
        var missing = favorites.known.names(in: album)
        let albums = try resolver.look(into: folder, album) { sighting in
            missing.remove(sighting.place.name)
            see(sighting)
        }
        seen.insert(album)
        miss(missing, in: album)
        return albums
    }

    private mutating func miss(_ names: Set<Name>, in album: Album) {
        for name in names { see(Sighting(place: Place(name, in: album))) }
    }

    private mutating func see(_ sighting: Sighting) {
        leftAlone.remove(sighting.place)
        state.see(sighting, favorites.links(at: sighting.place), isHinted: false, at: now, &change)
    }
}

extension StorageError {
    /// The album is gone: it was deleted, or something else has its name.
    var isNoAlbum: Bool { isNoFolder || code == ENOENT }
}
