package import Apod
package import Archive
import Catalog
package import Files

/// `index.html`, `gallery/` and `feed.xml`: the mirror for a browser and for feed readers.
///
/// `IndexPage` is the page, with an `ArchiveBar`; `Look` has its script and style. The script loads data: a `Volume` for
/// each year, and `PlainData`. All can be made again from the catalog and the tree. Files of others with these names stay.
///
/// Of each other list, it is data in a folder of its own (`gallery/data/lists/cats`), which the page loads when the list is
/// opened.
package struct Gallery: Sendable {
    private let tree: Tree
    private let catalog: Catalog
    private let favorites: FavoritesLog
    private let readLinks: LinkReader

    package init(_ archive: Archive, readLinks: @escaping LinkReader) {
        (tree, catalog, favorites) = (archive.tree, archive.catalog, archive.favorites)
        self.readLinks = readLinks
    }

    /// A number that changes with the program's pages, and with the `settings` of what is shown.
    package static func edition(_ settings: [String]) -> Int {
        let text = IndexPage.frame + Look.version + "\(SidecarText.version) " + settings.joined(separator: " ")
        return Digest(of: Array(text.utf8)).number
    }

    /// Whether the page and its script are there. Other files are not looked for.
    package func isThere() throws -> Bool {
        guard try tree.root.facts(of: IndexPage.name) != nil else { return false }
        return try GalleryFolder.own(in: tree.root)?.facts(of: GalleryFolder.script) != nil
    }

    /// What is to be drawn: the years of some days, and these lists.
    package struct Extent: Sendable {
        /// nil: all.
        let days: Set<Day>?
        let lists: [ListName]

        package init(_ days: Set<Day>? = nil, lists: [ListName] = []) { (self.days, self.lists) = (days, lists) }
    }

    /// Writes what has changed, the newest year first. `wanted`: the days to mirror; those that are not here are shown as
    /// missing. Cancelled, it leaves the older years for the next time.
    package func write(_ extent: Extent, wanted: ClosedRange<Day>?) throws {
        guard let gallery = try GalleryFolder.make(in: tree.root) else {
            try writeIndex(extent)
            return try writeRoot(nil)
        }
        let isNew = try gallery.kind(of: GalleryFolder.data) == nil
        let all = try gallery.makeFolder(GalleryFolder.data)
        var look = shelf(gallery)
        for (name, bytes) in Look.files { try look.put(bytes, name) }
        try look.sync()
        for list in extent.lists where !Task.isCancelled { try write(list, in: all) }
        var data = shelf(all)
        try data.put(PlainData.bytes(favorites.known), PlainData.favorites)
        try data.put(PlainData.bytes(catalog.links()), PlainData.links)
        let bar = try bar(wanted: wanted)
        let years = bar.years(of: isNew ? nil : extent.days)
        for year in years.prefix(1) { try write(volume(year), in: &data) }
        // After the data that the page shows first. Older years can take a while.
        try data.sync()
        try writeRoot(bar, lists: Self.lists(in: all))
        for year in years.dropFirst() where !Task.isCancelled { try write(volume(year), in: &data) }
        try data.sync()
    }

    private func write(_ list: ListName, in all: Folder) throws {
        var data = shelf(try Tree.makeFolder(list.path(), in: all))
        let years = try years(of: list)
        for year in years where !Task.isCancelled { try write(year, in: &data) }
        let cover = try catalog.status(of: FileName.cover(of: list).day) ?? years.first?.days.last
        let line = try volume(0, of: list, [cover].compactMap(\.self)).lines.first
        let counts = years.map { ($0.year, $0.days.count { $0.whole?.image != nil }) }
        try data.put(PlainData.bytes(list, counts, cover: line), PlainData.list)
        try data.sync()
        try removeIndex(of: list, besides: years)
    }

    private func shelf(_ folder: Folder) -> Shelf { Shelf(folder: folder, unfinished: tree.unfinished) }

    /// `bar`: nil where there is no page.
    private func writeRoot(_ bar: ArchiveBar?, lists: [ListName] = []) throws {
        let feed = Feed(entries: try newest())
        var root = shelf(tree.root)
        try root.put(feed.bytes, Feed.name)
        if let bar { try root.put(IndexPage(bar: bar, newest: feed.newest, lists: lists).bytes, IndexPage.name) }
        try root.sync()
    }

    /// The days of the feed, whose JSON can be read now.
    private func newest() throws -> [Feed.Entry] {
        let days = try catalog.newestStored(atMost: Feed.length)
        guard let first = days.last, let last = days.first else { return [] }
        let copies = try catalog.screenCopies(in: first...last)
        var entries: [Feed.Entry] = []
        for stored in try catalog.statuses(in: first...last).reversed().compactMap(\.stored) {
            guard let text = try text(stored) else { continue }
            entries.append(Feed.Entry(stored: stored, text: text, hasLarge: copies[DayPicture(stored.name.day)] != nil))
        }
        return entries
    }

    /// Writes the favorites alone. Without a gallery, does nothing: `write` makes it.
    package func writeFavorites() throws {
        guard let folder = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data) else { return }
        var data = shelf(folder)
        try data.put(PlainData.bytes(favorites.known), PlainData.favorites)
        try data.sync()
    }

    /// Writes the published index alone, for a mirror without a gallery.
    package func writeIndex(_ extent: Extent) throws {
        for list in extent.lists where !Task.isCancelled {
            let years = try years(of: list)
            for year in years { try writeIndex(year, isShown: false) }
            try removeIndex(of: list, besides: years)
        }
        for year in try bar().years(of: extent.days) where !Task.isCancelled {
            try writeIndex(volume(year), isShown: false)
        }
    }

    private func write(_ volume: Volume, in data: inout Shelf) throws {
        try writeIndex(volume, isShown: true)
        try volume.writeTexts(in: &data, text)
        try data.put(volume.script, "\(volume.year).js")
    }

    /// nil if the day's JSON is missing or cannot be read now.
    private func text(_ stored: StoredDay) throws -> DayText? {
        try Document.of(stored.name, in: tree.root).map { DayText($0, readLinks) }
    }
}

/// What there is of which year.
extension Gallery {
    private func bar(wanted: ClosedRange<Day>? = nil) throws -> ArchiveBar {
        let states = try catalog.calendarStates()
        return ArchiveBar(known: states.known, others: states.others, wanted: wanted)
    }

    /// Newest first. A list's cover is in none.
    private func years(of list: ListName) throws -> [Volume] {
        let items = try catalog.storedItems(of: list).filter { $0.stored?.name.isCover != true }
        return try Dictionary(grouping: items) { Int($0.stored?.name.yearOfItem ?? "") ?? 0 }
            .sorted { $0.key > $1.key }.map { try volume($0.key, of: list, $0.value) }
    }

    /// `items`: of a list.
    private func volume(_ year: Int, of list: ListName? = nil, _ items: [DayStatus]? = nil) throws -> Volume {
        let first = Day(year: year, month: 1, day: 1) ?? .first
        let last = Day(year: year, month: 12, day: 31) ?? first
        let range = list.map { Day.all(of: $0) } ?? first...last
        return Volume(
            list: list, year: year, days: try items ?? catalog.statuses(in: range),
            copies: try catalog.screenCopies(in: range), replaced: try catalog.versions(in: range))
    }

    /// `isShown`: by a gallery, which has smaller copies.
    private func writeIndex(_ volume: Volume, isShown: Bool) throws {
        let (bytes, name) = (volume.index(isShown: isShown).document, IndexedYear.name(volume.year))
        let folder = try Tree.makeFolder(IndexedYear.folder(of: volume.list), in: tree.own)
        if try folder.facts(of: name)?.bytes == bytes.count,
            try folder.file(name)?.contents(atMost: bytes.count) == bytes
        {
            return
        }
        try Staged(bytes, in: tree.unfinished, as: "days-\(name)").publishDurably(in: folder, as: name)
    }

    /// Removes the index of years of which a list has nothing any more. The page does not look for their data.
    private func removeIndex(of list: ListName, besides years: [Volume]) throws {
        guard let folder = try Tree.existingFolder(list.path(IndexedYear.folder), in: tree.own) else { return }
        let names = years.map { IndexedYear.name($0.year) }
        for name in try folder.names() where !names.contains(name) { try folder.remove(name) }
    }

    private static func folders(ofListsIn data: Folder) throws -> [(name: String, folder: Folder)] {
        try data.folder(Tree.lists)?.folders { ListName($0) != nil } ?? []
    }

    /// The other lists that the page leads to.
    private static func lists(in data: Folder) throws -> [ListName] {
        try folders(ofListsIn: data).filter { try $0.folder.facts(of: PlainData.list) != nil }
            .compactMap { ListName($0.name) }.sorted()
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
        func add(_ names: [String], in folder: Folder) throws {
            for name in names { bytes += try folder.facts(of: name)?.bytes ?? 0 }
        }
        let foreign = try occupied(in: root)
        try add([IndexPage.name, Feed.name].filter { !foreign.contains($0) }, in: root)
        guard let gallery = try GalleryFolder.own(in: root) else { return bytes }
        try add(Look.files.map(\.name), in: gallery)
        guard let data = try gallery.folder(GalleryFolder.data) else { return bytes }
        for folder in try [data] + folders(ofListsIn: data).map(\.folder) { try add(folder.names(), in: folder) }
        return bytes
    }

    /// Deletes the mirror's files, and nothing else.
    package func remove() throws {
        let (root, names) = (tree.root, [IndexPage.name, Feed.name])
        // The sync below would wait for the disk.
        guard try (names + [GalleryFolder.name]).contains(where: { try root.kind(of: $0) != nil }) else { return }
        for name in names { try GeneratedFile.remove(name, from: root) }
        guard let gallery = try GalleryFolder.own(in: root) else { return }
        if let data = try gallery.folder(GalleryFolder.data) {
            for (name, folder) in try Self.folders(ofListsIn: data) {
                try removeScripts(from: folder)
                try data.removeEmptyFolder("\(Tree.lists)/\(name)")
            }
            try data.removeEmptyFolder(Tree.lists)
            try removeScripts(from: data)
            try gallery.removeEmptyFolder(GalleryFolder.data)
        }
        for (name, _) in Look.files.reversed() { try GeneratedFile.remove(name, from: gallery) }
        try GalleryFolder.removeIfDone(from: root)
        try root.sync()
    }

    private func removeScripts(from folder: Folder) throws {
        for name in try folder.names() where name.hasSuffix(".js") { try GeneratedFile.remove(name, from: folder) }
    }
}
