internal import Archive
internal import Catalog
internal import Files

extension LinkResolver {
    /// Looks at everything in the favorites folder, as far as it can be read. Throws what `body` throws and, at the end, why
    /// some of it cannot be read at the moment.
    func lookEverywhere(_ body: (Sighting, Folder) throws(StorageError) -> Void) throws(StorageError) {
        var failure: StorageError?
        try Album.walk(in: root) { (album, folder) throws(StorageError) in
            do throws(StorageError) {
                let folder = try folder.get()
                return try look(into: folder, album) { (sighting) throws(StorageError) in try body(sighting, folder) }
            } catch {
                guard error.isOfSystem else { throw error }
                if !error.isAboutPlace, !error.isNoAlbum { failure = failure ?? error }
                return []
            }
        }
        if let failure { throw failure }
    }

    /// Looks at everything in an album. Returns the names of the albums in it.
    func look(
        into folder: Folder, _ album: Album, _ body: (Sighting) throws(StorageError) -> Void
    ) throws(StorageError) -> [Name] {
        var albums: [Name] = []
        let entries = try folder.entries()
        while !Task.isCancelled, let (name, kind) = try entries.next() {
            var sighting = look(at: Place(name, in: album), in: folder, kind: kind)
            if sighting.finding == .album {
                albums.append(name)
                if let why = whyUnread(sighting.place, in: folder) { sighting.finding = .unrecognised(why) }
            }
            try body(sighting)
        }
        return albums
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
