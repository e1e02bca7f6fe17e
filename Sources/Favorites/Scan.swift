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
    private let marks: [Album: String?]
    /// Those, and the ones that they are in. Of others, nothing can be missing, and nothing is kept: there may be very
    /// many.
    private let known: Set<Album>
    private var visited: Set<Album> = []
    /// What could not be looked into, and why. Of that, nothing is missing.
    private(set) var failed: [Album: DiskError] = [:]

    init(_ resolver: LinkResolver, _ catalog: Catalog, isStopped: @escaping () -> Bool) throws(CatalogError) {
        self.resolver = resolver
        self.catalog = catalog
        self.isStopped = isStopped
        marks = try catalog.albums()
        known = Set(marks.keys.lazy.flatMap(\.way)).union([.top])
        seen = FolderDiff(room: try catalog.roomForUnrecognised())
    }

    mutating func run(_ top: Folder) throws(CatalogError) {
        _ = try visit(.top, top, isParentSame: true)
        let isTopSame = seen.change.marks[.top] == nil
        isTopReplaced = !isTopSame && marks[.top] ?? nil != nil
        for album in marks.keys where !visited.contains(album) && !failed.keys.contains(where: album.isInside) {
            for (name, meaning) in try catalog.meanings(in: album) {
                seen.lose(Place(name, in: album), meaning, isFolderSame: isTopSame)
            }
        }
        isComplete = visited.contains(.top) && !isStopped()
    }

    /// Returns whether anything in there is remembered.
    private mutating func visit(_ album: Album, _ folder: Folder, isParentSame: Bool) throws(CatalogError) -> Bool {
        var missing = try catalog.meanings(in: album)
        let (count, before) = (missing.count, seen.change.seen.count)
        var hasAlbums = false
        let mark: Folder.Mark
        var isFolderSame: Bool
        do throws(DiskError) {
            mark = try folder.mark()
            isFolderSame = isSame(album, mark) && isParentSame
            try folder.visit { (name, kind) throws(DiskError) in
                guard !isStopped() else { return }
                let finding = resolver.look(at: name, in: folder, depth: album.depth, kind: kind)
                let place = Place(name, in: album)
                // Of what cannot be told, the look at the albums says that it failed.
                if finding == .album || kind == nil { hasAlbums = true }
                take(finding == .album ? unwatched(place) : finding, place, &missing, isFolderSame)
            }
            // Another folder may have come into its place without anybody being able to tell.
            if !mark.isCertain, missing.count == count { isFolderSame = false }
        } catch {
            // Of a folder that could not be looked at, nothing is missing.
            fail(album, error)
            return count > 0
        }
        if known.contains(album) { visited.insert(album) }
        for (name, meaning) in missing { seen.lose(Place(name, in: album), meaning, isFolderSame: isFolderSame) }
        var isUsed = album == .top || count > 0 || seen.change.seen.count > before
        if hasAlbums, album.depth < Album.deepest {
            isUsed = try visitAlbums(in: album, folder, isParentSame: isFolderSame) || isUsed
        }
        if isUsed, marks[album] ?? nil != mark.text { seen.mark(album, mark.text) }
        return isUsed
    }

    private mutating func visitAlbums(
        in album: Album, _ folder: Folder, isParentSame: Bool
    ) throws(CatalogError) -> Bool {
        let albums: Albums
        do throws(DiskError) { albums = try Albums(in: folder) } catch {
            fail(album, error)
            return true
        }
        var isUsed = false
        while !isStopped(), let name = next(of: albums, in: album) {
            let inner = album.inner(name)
            switch Result(catching: { () throws(DiskError) in try folder.existingFolder(name) }) {
            case .success(let folder): isUsed = try visit(inner, folder, isParentSame: isParentSame) || isUsed
            case .failure(let error): fail(inner, error)
            }
        }
        return isUsed
    }

    private mutating func next(of albums: Albums, in album: Album) -> Name? {
        do throws(DiskError) {
            return try albums.next()
        } catch {
            // Nobody knows which others there are.
            fail(album, error)
            return nil
        }
    }

    private mutating func fail(_ album: Album, _ error: DiskError) {
        seen.take(error)
        if known.contains(album) || error.isAway { failed[album] = error }
    }

    /// What there is to say of an album that is not kept up with.
    private func unwatched(_ place: Place) -> LinkResolver.Finding {
        let (album, root) = (place.album.inner(place.name), resolver.root.path)
        if album.depth > Album.deepest { return .meaning(.unrecognised("a folder that is too deep to be looked into")) }
        guard place.album.canBeWatched(below: root), !album.canBeWatched(below: root) else { return .album }
        return .meaning(
            .unrecognised("its path is too long for it to be watched; it is looked into when others change"))
    }

    private func isSame(_ album: Album, _ mark: Folder.Mark) -> Bool {
        let known = marks[album] ?? nil
        return known == nil || known == mark.text
    }

    private mutating func take(
        _ finding: LinkResolver.Finding, _ place: Place, _ missing: inout [Name: Meaning], _ isFolderSame: Bool
    ) {
        if finding == .nothing || finding == .album { return }
        let meaning = missing.removeValue(forKey: place.name)
        seen.take(finding, at: place, meaning, isHinted: false, isFolderSame: isFolderSame)
    }
}
