internal import Apod
internal import Archive
internal import Files

/// A walk over the whole favorites folder.
struct Scan {
    private(set) var seen = Observation()

    private let recognition: Recognition
    private let catalog: Catalog
    /// The folders as they were the last time.
    private let marks: [Album: String?]
    private var visited: Set<Album> = []
    private var failed: [Album] = []

    /// Deeper folders are not looked into.
    static let deepest = 32

    init(_ recognition: Recognition, _ catalog: Catalog) throws(CatalogError) {
        self.recognition = recognition
        self.catalog = catalog
        marks = try catalog.albums()
    }

    mutating func run(_ top: Folder) throws(CatalogError) {
        try visit(.top, top, isParentSame: true)
        let isTopSame = seen.change.marks[.top] == nil
        for album in marks.keys where !visited.contains(album) && !failed.contains(where: album.isInside) {
            for (name, memory) in try catalog.memories(in: album) {
                seen.lose(Place(name, in: album), memory, isFolderSame: isTopSame)
            }
        }
    }

    private mutating func visit(_ album: Album, _ folder: Folder, isParentSame: Bool) throws(CatalogError) {
        var known = try catalog.memories(in: album)
        var inner: [Name] = []
        let isFolderSame: Bool
        do throws(DiskError) {
            isFolderSame = try isSame(album, folder) && isParentSame
            let depth = album.depth
            try folder.visit { (name, kind) throws(DiskError) in
                let finding = recognition.look(at: name, in: folder, depth: depth, kind: kind)
                if finding == .album { inner.append(name) } else { take(finding, Place(name, in: album), &known) }
            }
        } catch {
            // Of a folder that could not be looked at, nothing is missing.
            failed.append(album)
            return
        }
        visited.insert(album)
        for (name, memory) in known { seen.lose(Place(name, in: album), memory, isFolderSame: isFolderSame) }
        guard album.depth < Self.deepest else { return }
        for name in inner { try visit(name, in: album, folder, isParentSame: isFolderSame) }
    }

    private mutating func visit(
        _ name: Name, in album: Album, _ folder: Folder, isParentSame: Bool
    ) throws(CatalogError) {
        guard let inner = try? folder.folder(name) else { return failed.append(album.inner(name)) }
        try visit(album.inner(name), inner, isParentSame: isParentSame)
    }

    private mutating func isSame(_ album: Album, _ folder: Folder) throws(DiskError) -> Bool {
        let mark = try folder.mark()
        let known = marks[album] ?? nil
        if known != mark { seen.mark(album, mark) }
        return known == nil || known == mark
    }

    private mutating func take(_ finding: Recognition.Finding, _ place: Place, _ known: inout [Name: Memory]) {
        if finding == .nothing { return }
        seen.take(finding, at: place, known.removeValue(forKey: place.name), isHinted: false)
    }

    mutating func missNothing() { seen.missNothing() }

    mutating func keep(where isKept: (Observation.Loss) -> Bool) { seen.keep(where: isKept) }
}
