internal import Apod
internal import Archive
internal import Files

/// A walk over the whole favorites folder.
struct Scan {
    private(set) var seen: Observation
    /// The folder itself has been looked at, and nobody was in a hurry.
    private(set) var isComplete = false
    /// The folder is another one than the last time.
    private(set) var isTopReplaced = false

    private let recognition: Recognition
    private let catalog: Catalog
    private let isStopped: () -> Bool
    /// The folders as they were the last time.
    private let marks: [Album: String?]
    private var visited: Set<Album> = []
    /// What could not be looked into, and why. Of that, nothing is missing.
    private(set) var failed: [Album: DiskError] = [:]

    init(_ recognition: Recognition, _ catalog: Catalog, isStopped: @escaping () -> Bool) throws(CatalogError) {
        self.recognition = recognition
        self.catalog = catalog
        self.isStopped = isStopped
        marks = try catalog.albums()
        seen = Observation(room: try catalog.roomForStrangers())
    }

    mutating func run(_ top: Folder) throws(CatalogError) {
        try visit(.top, top, isParentSame: true)
        let isTopSame = seen.change.marks[.top] == nil
        isTopReplaced = !isTopSame && marks[.top] ?? nil != nil
        for album in marks.keys where !visited.contains(album) && !failed.keys.contains(where: album.isInside) {
            for (name, meaning) in try catalog.meanings(in: album) {
                seen.lose(Place(name, in: album), meaning, isFolderSame: isTopSame)
            }
        }
        isComplete = visited.contains(.top) && !isStopped()
    }

    private mutating func visit(_ album: Album, _ folder: Folder, isParentSame: Bool) throws(CatalogError) {
        var known = try catalog.meanings(in: album)
        let count = known.count
        var inner: [Name] = []
        var isFolderSame = isParentSame
        do throws(DiskError) {
            let mark = try folder.mark()
            isFolderSame = isSame(album, mark) && isFolderSame
            try folder.visit { (name, kind) throws(DiskError) in
                guard !isStopped() else { return }
                let finding = recognition.look(at: name, in: folder, depth: album.depth, kind: kind)
                let place = Place(name, in: album)
                if finding == .album { inner.append(name) }
                take(finding == .album ? unwatched(place) : finding, place, &known, isFolderSame)
            }
            // Another folder may have come into its place without anybody being able to tell.
            if !mark.isCertain, known.count == count { isFolderSame = false }
        } catch {
            failed[album] = error
            return
        }
        visited.insert(album)
        for (name, meaning) in known { seen.lose(Place(name, in: album), meaning, isFolderSame: isFolderSame) }
        guard album.depth < Album.deepest else { return }
        for name in inner where !isStopped() { try visit(name, in: album, folder, isParentSame: isFolderSame) }
    }

    private mutating func visit(
        _ name: Name, in album: Album, _ folder: Folder, isParentSame: Bool
    ) throws(CatalogError) {
        switch Result(catching: { () throws(DiskError) in try folder.existingFolder(name) }) {
        case .success(let inner): try visit(album.inner(name), inner, isParentSame: isParentSame)
        case .failure(let error): failed[album.inner(name)] = error
        }
    }

    /// What there is to say of an album that is not kept up with.
    private func unwatched(_ place: Place) -> Recognition.Finding {
        let (album, root) = (place.album.inner(place.name), recognition.root.path)
        if album.depth > Album.deepest { return .meaning(.stranger("a folder that is too deep to be looked into")) }
        guard place.album.canBeWatched(below: root), !album.canBeWatched(below: root) else { return .album }
        return .meaning(.stranger("its path is too long for it to be watched; it is looked into when others change"))
    }

    private mutating func isSame(_ album: Album, _ mark: Folder.Mark) -> Bool {
        let known = marks[album] ?? nil
        if known != mark.text { seen.mark(album, mark.text) }
        return known == nil || known == mark.text
    }

    private mutating func take(
        _ finding: Recognition.Finding, _ place: Place, _ known: inout [Name: Meaning], _ isFolderSame: Bool
    ) {
        if finding == .nothing || finding == .album { return }
        let meaning = known.removeValue(forKey: place.name)
        seen.take(finding, at: place, meaning, isHinted: false, isFolderSame: isFolderSame)
    }
}
