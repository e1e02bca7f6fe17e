package import Apod
package import Archive
internal import Catalog
package import Files

/// `index.html`, `gallery/` and `feed.xml`: the mirror for a browser and for feed readers.
///
/// `IndexPage` is the page, with an `ArchiveBar`; `Look` has its script and style. The script loads the data of
/// `YearScript`, `TextScript`, `SearchScript`, `LinksScript` and `FavoritesScript`. All can be made again from the catalog and the
/// tree. Files of others with these names stay.
///
/// Of another list, it is only the data of that list (`Gallery+List`).
package struct Gallery: Sendable {
    let tree: Tree
    let catalog: Catalog
    private let favorites: FavoritesLog
    private let list: ListName?
    private let readLinks: LinkReader

    package init(_ archive: Archive, of list: ListName? = nil, readLinks: @escaping LinkReader) {
        self.list = list
        tree = archive.tree
        catalog = archive.catalog
        favorites = archive.favorites
        self.readLinks = readLinks
    }

    /// A number that changes with the program's pages, and with the `settings` of what is shown.
    package static func edition(_ settings: [String]) -> Int {
        let text = IndexPage.frame + Look.version + "\(SidecarText.version) " + settings.joined(separator: " ")
        return Digest(of: Array(text.utf8)).number
    }

    /// Whether the page and its script are there. Other files are not looked for.
    package func isThere() throws -> Bool {
        if let list { return try isThere(list) }
        guard try tree.root.facts(of: IndexPage.name) != nil else { return false }
        return try GalleryFolder.own(in: tree.root)?.facts(of: GalleryFolder.script) != nil
    }

    package enum Extent: Sendable {
        case all
        /// The years of these days.
        case days(Set<Day>)
    }

    /// Writes what has changed, the newest year first. `wanted`: the days to mirror; those that are not here are
    /// shown as missing. Cancelled, it leaves the older years for the next time.
    package func write(
        _ extent: Extent, wanted: ClosedRange<Day>?
    ) throws {
        if let list { return try write(list) }
        let states = try catalog.calendarStates()
        let bar = ArchiveBar(known: states.known, others: states.others, wanted: wanted)
        guard let (gallery, data, isNew) = try folders() else {
            try writeIndex(extent)
            return try writeRoot(nil)
        }
        try writeLook(in: gallery)
        let years = Self.years(of: isNew ? .all : extent, bar)
        let replaced = try catalog.versions()
        var isChanged = try writeFavorites(in: data)
        isChanged = try put(LinksScript.bytes(catalog.links()), LinksScript.name, in: data) || isChanged
        for year in years.prefix(1) { isChanged = try write(year, replaced, in: data) || isChanged }
        if isChanged { try data.sync() }
        // After the data that the page shows first. Older years can take a while.
        try writeRoot(bar, lists: Self.lists(in: data))
        isChanged = false
        for year in years.dropFirst() where !Task.isCancelled {
            isChanged = try write(year, replaced, in: data) || isChanged
        }
        if isChanged { try data.sync() }
    }

    /// nil if `gallery` is not the mirror's.
    func folders() throws -> (gallery: Folder, data: Folder, isNew: Bool)? {
        guard let gallery = try GalleryFolder.make(in: tree.root) else { return nil }
        let isNew = try gallery.kind(of: GalleryFolder.data) == nil
        return (gallery, try gallery.makeFolder(GalleryFolder.data), isNew)
    }

    /// `bar`: nil where there is no page.
    private func writeRoot(_ bar: ArchiveBar?, lists: [ListName] = []) throws {
        let feed = try feed()
        var isNew = false
        if try !feed.file.isUpToDate(in: tree.root) {
            let bytes = try feed.bytes(after: try GeneratedFile.contents(Feed.name, in: tree.root), text)
            isNew = try put(bytes, Feed.name, in: tree.root)
        }
        if let bar {
            var page = IndexPage(bar: bar, first: feed.first, lists: lists)
            if let newest = feed.newest?.stored, let text = try text(newest) {
                page.words = TextScript.json(text, of: newest.name.day)
            }
            isNew = try put(page.bytes, IndexPage.name, in: tree.root) || isNew
        }
        if isNew { try tree.root.sync() }
    }

    /// Writes the favorites alone. Without a gallery, does nothing: `write` makes it.
    package func writeFavorites() throws {
        let data = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data)
        if let data, try writeFavorites(in: data) { try data.sync() }
    }

    private func writeFavorites(in data: Folder) throws -> Bool {
        return try put(FavoritesScript.bytes(favorites.known), FavoritesScript.name, in: data)
    }

    private static func years(of extent: Extent, _ bar: ArchiveBar) -> [Int] {
        switch extent {
        case .all: bar.years.map(\.year).reversed()
        case .days(let days): Set(days.map(\.year)).sorted(by: >)
        }
    }

    private func writeLook(in gallery: Folder) throws {
        var isNew = false
        for (name, bytes) in Look.files where try put(bytes, name, in: gallery) { isNew = true }
        if isNew { try gallery.sync() }
    }

    private static func range(of year: Int) -> ClosedRange<Day> {
        let first = Day(year: year, month: 1, day: 1) ?? .first
        return first...(Day(year: year, month: 12, day: 31) ?? first)
    }

    /// Writes the published index alone, for a mirror without a gallery.
    package func writeIndex(_ extent: Extent) throws {
        if let list { return try writeIndex(of: list, try volumes(of: list)) }
        let bar = ArchiveBar(known: try catalog.calendarStates().known)
        for year in Self.years(of: extent, bar) where !Task.isCancelled {
            try writeIndex(try volume(year), [:])
        }
    }

    private func volume(_ year: Int) throws -> Volume {
        Volume(list: nil, year: year, days: try catalog.statuses(in: Self.range(of: year)))
    }

    func writeIndex(_ volume: Volume, _ copies: [DayPicture: Catalog.ScreenCopies]) throws {
        let index = IndexedYear(
            days: volume.days.compactMap { status in status.stored.map { IndexedDay($0, status, copies) } },
            absent: Set(volume.days.filter { $0.state == .absent && $0.stored == nil }.map(\.day)))
        let (bytes, name) = (index.document, IndexedYear.name(volume.year))
        let folder = try Tree.makeFolder(IndexedYear.folder(of: volume.list), in: tree.own)
        if try folder.facts(of: name)?.bytes == bytes.count,
            try folder.file(name)?.contents(atMost: bytes.count) == bytes
        {
            return
        }
        try Staged(bytes, in: tree.unfinished, as: "days-\(name)").publishDurably(in: folder, as: name)
    }

    /// Returns whether a file has changed.
    private func write(
        _ year: Int, _ replaced: [Day: [FormerVersion]], in data: Folder
    ) throws -> Bool {
        try write(try volume(year), try catalog.screenCopies(in: Self.range(of: year)), replaced, in: data)
    }

    /// Returns whether a file has changed.
    func write(
        _ volume: Volume, _ copies: [DayPicture: Catalog.ScreenCopies], _ replaced: [Day: [FormerVersion]],
        in data: Folder
    ) throws -> Bool {
        try writeIndex(volume, copies)
        let isChanged = try writeTexts(volume, in: data)
        let days = YearScript.bytes(volume, copies: copies, replaced: replaced)
        return try put(days, YearScript.name(volume.year), in: data) || isChanged
    }

    /// Returns whether a file has changed.
    private func writeTexts(_ volume: Volume, in data: Folder) throws -> Bool {
        let texts = TextScript(volume)
        let search = SearchScript(texts)
        if try texts.script.isUpToDate(in: data), try search.script.isUpToDate(in: data) { return false }
        let bytes = try texts.bytes(after: try GeneratedFile.contents(texts.script.name, in: data), text)
        let compressed = try search.bytes(
            after: try GeneratedFile.contents(search.script.name, in: data), texts.script.lines(of: bytes))
        let isChanged = try put(bytes, texts.script.name, in: data)
        return try put(compressed, search.script.name, in: data) || isChanged
    }

    private func feed() throws -> Feed {
        let newest = try catalog.newestStored(atMost: Feed.length)
        guard let first = newest.last, let last = newest.first else { return Feed(entries: []) }
        let copies = try catalog.screenCopies(in: first...last)
        let stored = try catalog.statuses(in: first...last).reversed().compactMap(\.stored)
        return Feed(entries: stored.map { Feed.Entry(stored: $0, hasLarge: copies[DayPicture($0.name.day)] != nil) })
    }

    /// nil if the day's JSON is missing or cannot be read now.
    private func text(_ stored: StoredDay) throws -> DayText? {
        try Document.of(stored.name, in: tree.root).map { DayText($0, readLinks) }
    }

    func put(_ bytes: [UInt8], _ name: String, in folder: Folder) throws -> Bool {
        try GeneratedFile.write(bytes, as: name, in: folder, through: tree.unfinished)
    }
}

/// Tells the mirror's files from others with the same names.
extension Gallery {
    /// The names under which there is something that is not the mirror's.
    package static func occupied(in root: Folder) throws -> [String] {
        var names: [String] = []
        for name in [IndexPage.name, Feed.name] where try GeneratedFile.isForeign(name, in: root) { names.append(name) }
        if try !GalleryFolder.isOwn(in: root) { names.append(GalleryFolder.name) }
        return names.sorted()
    }

    /// The size of all files but the smaller copies, which are too many to add up.
    package static func bytes(in root: Folder) throws -> Int {
        var bytes = 0
        for name in [IndexPage.name, Feed.name] where try !GeneratedFile.isForeign(name, in: root) {
            bytes += try root.facts(of: name)?.bytes ?? 0
        }
        guard let gallery = try GalleryFolder.own(in: root) else { return bytes }
        for (name, _) in Look.files { bytes += try gallery.facts(of: name)?.bytes ?? 0 }
        guard let data = try gallery.folder(GalleryFolder.data) else { return bytes }
        for folder in try [data] + folders(ofListsIn: data).map(\.folder) {
            for name in try folder.names() { bytes += try folder.facts(of: name)?.bytes ?? 0 }
        }
        return bytes
    }

    /// Deletes the mirror's files, and nothing else.
    package func remove() throws {
        if let list { return try remove(list) }
        var isThere = false
        for name in [IndexPage.name, Feed.name, GalleryFolder.name] where try tree.root.kind(of: name) != nil {
            isThere = true
        }
        // The sync below would wait for the disk.
        if !isThere { return }
        for name in [IndexPage.name, Feed.name] { try GeneratedFile.remove(name, from: tree.root) }
        guard let gallery = try GalleryFolder.own(in: tree.root) else { return }
        if let data = try gallery.folder(GalleryFolder.data) {
            try Self.removeScripts(in: data)
            try gallery.removeEmptyFolder(GalleryFolder.data)
        }
        for (name, _) in Look.files.reversed() { try GeneratedFile.remove(name, from: gallery) }
        try GalleryFolder.removeIfDone(from: tree.root)
        try tree.root.sync()
    }
}

extension Gallery {
    static func removeScripts(in data: Folder) throws {
        for name in try data.names() where name.hasSuffix(".js") { try GeneratedFile.remove(name, from: data) }
    }
}

extension IndexedDay {
    fileprivate init(_ stored: StoredDay, _ status: DayStatus, _ copies: [DayPicture: Catalog.ScreenCopies]) {
        let files = status.whole?.files ?? []
        self.init(
            name: stored.name, title: stored.title, files: files,
            hasCopies: files.image != nil && copies[DayPicture(status.day)] != nil, document: stored.json,
            documentBytes: stored.jsonBytes)
    }
}
