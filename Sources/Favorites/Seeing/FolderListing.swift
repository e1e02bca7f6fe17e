internal import Catalog
internal import Files
internal import Watching

/// A listing of the whole favorites folder: each album with all that is in it, outer ones first.
struct FolderListing {
    enum Found {
        /// The things that follow are in this album.
        case album(Album)
        case thing(Sighting)
        /// Everything in this album was listed.
        case end(Album)
        /// This album and those inside it could not be listed in full.
        case failure(Album, StorageError)
    }

    let resolver: LinkResolver
    private let walk: AlbumWalk

    /// `top`: the favorites folder, if that is open already.
    init(_ resolver: LinkResolver, top: Folder? = nil) {
        self.resolver = resolver
        walk = AlbumWalk(in: resolver.root, top: top, isStopped: resolver.isStopped)
    }

    /// Throws only if the catalog fails.
    func run(_ body: (Found, Folder?) throws(StorageError) -> Void) throws(StorageError) {
        for (album, folder) in walk {
            do throws(StorageError) {
                let folder = try folder.get()
                try body(.album(album), folder)
                try walk.visit(folder) { (name, kind) throws(StorageError) in
                    try body(.thing(look(at: Place(name, in: album), in: folder, kind)), folder)
                }
                try body(.end(album), folder)
            } catch {
                guard error.isOfSystem else { throw error }
                try body(.failure(album, error), nil)
                walk.skipAlbums()
            }
        }
    }

    private func look(at place: Place, in folder: Folder, _ kind: File.Kind?) -> Sighting {
        var sighting = resolver.look(at: place, in: folder, kind: kind)
        if sighting.finding == .album, let why = whyUnread(place, in: folder) { sighting.finding = .unrecognised(why) }
        return sighting
    }

    /// Why an album is not read; nil for other albums.
    private func whyUnread(_ place: Place, in folder: Folder) -> UnrecognisedReason? {
        if place.album.inner(place.name).depth > Album.deepest { return .tooDeep }
        do throws(StorageError) { _ = try folder.folderOnSameMount(place.name) } catch {
            if error.isOtherMount { return .mounted }
        }
        return nil
    }
}
