internal import Apod
internal import Catalog
internal import Files
internal import Watching

/// A walk over the whole favorites folder.
struct Scan {
    private(set) var seen: FolderDiff
    /// The folder itself has been looked at, and nobody was in a hurry.
    private(set) var isComplete = false
    /// The folder is another one than the last time.
    private(set) var isTopReplaced = false

    private let resolver: LinkResolver
    private let catalog: Catalog
    private let isStopped: () -> Bool
    /// The folders as they were the last time.
    private let fingerprints: [Album: String?]
    /// Those, and the ones that they are in. Of others, nothing can be missing, and nothing is kept: there may be very
    /// many.
    private let known: Set<Album>
    private var visited: Set<Album> = []
    /// Those of the known ones in whose places other folders are now.
    private var replaced: Set<Album> = []
    /// The folder that was visited last, and those that it is in.
    private var way: [(album: Album, fingerprint: String, isSame: Bool)] = []
    /// What could not be looked into, and why. Of that, nothing is missing.
    private(set) var failed: [Album: StorageError] = [:]
    /// There was no folder that could not be looked into.
    private(set) var hasSeenAll = true

    init(_ resolver: LinkResolver, _ catalog: Catalog, isStopped: @escaping () -> Bool) throws(StorageError) {
        self.resolver = resolver
        self.catalog = catalog
        self.isStopped = isStopped
        fingerprints = try catalog.albums()
        known = Set(fingerprints.keys.lazy.flatMap(\.way)).union([.top])
        seen = FolderDiff(room: try catalog.roomForUnrecognised())
    }

    private static let portion = 1000

    mutating func run(_ top: Folder) throws(StorageError) {
        let walk = AlbumWalk(in: resolver.root, top: top, isStopped: isStopped)
        for (album, folder) in walk {
            switch folder {
            case .success(let folder): try visit(album, folder, walk)
            case .failure(let error): fail(album, error)
            case .own: if known.contains(album) { replaced.insert(album) }
            }
        }
        let isTopSame = seen.change.fingerprints[.top] == nil
        isTopReplaced = !isTopSame && fingerprints[.top] ?? nil != nil
        for album in fingerprints.keys where !visited.contains(album) && !failed.keys.contains(where: album.isInside) {
            // An album that has gone with the disk that it was on is not one that was removed.
            let isFolderSame = isTopSame && !album.way.contains(where: replaced.contains)
            for (name, meaning) in try catalog.meanings(in: album) {
                seen.miss(Place(name, in: album), meaning, isFolderSame: isFolderSame)
            }
        }
        try seen.noteElsewhere(in: catalog)
        isComplete = (visited.contains(.top) || replaced.contains(.top)) && !isStopped()
    }

    private mutating func visit(_ album: Album, _ folder: Folder, _ walk: AlbumWalk) throws(StorageError) {
        var missing = try catalog.meanings(in: album)
        let (count, before) = (missing.count, seen.change.seen.count)
        way.removeLast(way.count - album.depth)
        var isFolderSame = way.last?.isSame ?? true
        do throws(StorageError) {
            let fingerprint = try folder.fingerprint()
            if !isSame(album, fingerprint) {
                replaced.insert(album)
                isFolderSame = false
            }
            try walk.visit(folder) { (name, kind) throws(StorageError) in
                let sighting = resolver.look(at: Place(name, in: album), in: folder, kind: kind)
                compare(sighting, &missing, isFolderSame)
                // Not all of very many are in memory at once. What cannot be noted now is noted at the end, or nothing is.
                let isPortion = sighting.elsewhere != nil && seen.elsewhere.count % Self.portion == 0
                if isPortion { try? seen.noteElsewhere(in: catalog) }
            }
            // Another folder may have come into its place without anybody being able to tell.
            if !fingerprint.isCertain, missing.count == count { isFolderSame = false }
            way.append((album, fingerprint.text, isFolderSame))
        } catch {
            // Of a folder that could not be looked at, nothing is missing.
            fail(album, error)
            walk.skipAlbums()
            if count > 0 { noteWay() }
            return
        }
        if known.contains(album) { visited.insert(album) }
        for (name, meaning) in missing { seen.miss(Place(name, in: album), meaning, isFolderSame: isFolderSame) }
        if album == .top || count > 0 || seen.change.seen.count > before { noteWay() }
    }

    /// Something in the last folder is remembered, and so in those that it is in.
    private mutating func noteWay() {
        for (album, fingerprint, _) in way where fingerprints[album] ?? nil != fingerprint {
            seen.note(album, fingerprint)
        }
    }

    private mutating func fail(_ album: Album, _ error: StorageError) {
        seen.noteFailure(error)
        hasSeenAll = false
        if known.contains(album) || error.isAway { failed[album] = error }
    }

    /// Why an album is not kept up with; nil for one that is.
    private func whyUnwatched(_ place: Place) -> String? {
        let (album, root) = (place.album.inner(place.name), resolver.root.path)
        if album.depth > Album.deepest { return "a folder that is too deep to be looked into" }
        guard place.album.canBeWatched(below: root), !album.canBeWatched(below: root) else { return nil }
        return "its path is too long for it to be watched; it is looked into when others change"
    }

    private func isSame(_ album: Album, _ fingerprint: Folder.Fingerprint) -> Bool {
        let known = fingerprints[album] ?? nil
        return known == nil || known == fingerprint.text
    }

    private mutating func compare(_ sighting: Sighting, _ missing: inout [Name: Meaning], _ isFolderSame: Bool) {
        var sighting = sighting
        if sighting.finding == .nothing { return }
        if sighting.finding == .album {
            guard let why = whyUnwatched(sighting.place) else { return }
            sighting.finding = .meaning(.unrecognised(why))
        }
        let meaning = missing.removeValue(forKey: sighting.place.name)
        seen.compare(sighting, meaning, isHinted: false, isFolderSame: isFolderSame)
    }
}
