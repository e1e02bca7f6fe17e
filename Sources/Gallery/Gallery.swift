package import Apod
package import Files
package import Store

/// `index.html`, `gallery/`, `feed.xml` and `changes.xml`: the mirror for a browser and for feed readers.
///
/// `IndexPage` is the page, with an `ArchiveBar`; `Look` has its script and style. The script loads data: a `Volume` for
/// each year, and others in `DataFile`. All can be made again from the catalog and the tree. Files of others with these
/// names stay.
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

    /// A number that changes with the program's pages, where they are shown, and with the `settings` of what is.
    package static func edition(isShown: Bool, _ settings: [String]) -> Int {
        let page = isShown ? IndexPage.frame + Look.version : "\(Volume.version)"
        let text = page + "\(SidecarText.version) " + settings.joined(separator: " ")
        return Digest(of: text.bytes).number
    }

    /// Whether the page and its script are there. Other files are not looked for.
    package func isThere() throws -> Bool {
        let root = tree.root
        return try root.facts(of: IndexPage.name) != nil
            && GalleryFolder.own(in: root)?.facts(of: GalleryFolder.script) != nil
    }

    /// Writes what has changed of the years of some days, the newest first, and of some lists. `days`: nil: all. `wanted`:
    /// the days to mirror; those that are not here are shown as missing. `isShown`: false for a mirror without a gallery, of
    /// which the published index alone is written. Cancelled, it leaves the older years for the next time. Returns whether the
    /// JSON of each day could be read: the next run may then, too.
    @discardableResult
    package func write(
        _ days: Set<Day>? = nil, lists: [ListName] = [], wanted: ClosedRange<Day>? = nil, isShown: Bool = true
    ) throws -> Bool {
        var isWhole = true
        func read(_ stored: Item.Stored) throws -> DayText? {
            let document = try Document.of(stored.name, in: tree.root)
            isWhole = isWhole && document != nil
            return document.map { DayText(document: $0, readLinks: readLinks) }
        }
        let gallery = isShown ? try GalleryFolder.make(in: tree.root) : nil
        let isNew = try gallery.map { try $0.kind(of: GalleryFolder.data) == nil } ?? false
        let data = try gallery.map { shelf(try $0.makeFolder(GalleryFolder.data)) }
        if let look = gallery.map(shelf) {
            for (name, bytes) in Look.files { try look.put(bytes, name) }
            try look.sync()
        }
        for list in lists where !Task.isCancelled { try write(list, in: data?.folder, read) }
        for list in Tree.listFolders(in: tree.own) where try !catalog.knows(list) { try removeIndex(of: list) }
        try data?.put(DataFile.bytes(favorites.known), DataFile.favorites)
        try data?.put(DataFile.bytes(catalog.links()), DataFile.links)
        let bar = ArchiveBar(try catalog.calendarStates(), wanted: wanted)
        let years = bar.years(of: isNew ? nil : days)
        for year in years.prefix(1) { try write(volume(year), in: data, read) }
        // After the data that the page shows first. Older years can take a while.
        try data?.sync()
        if isShown { try writeRoot(data.map { IndexPage(bar: bar, lists: try self.lists(in: $0.folder)) }, read) }
        if let data { try writeChanges(in: data) }
        for year in years.dropFirst() where !Task.isCancelled { try write(volume(year), in: data, read) }
        try data?.sync()
        return isWhole
    }

    private func write(_ list: ListName, in all: Folder?, _ read: TextReader) throws {
        let data = try all.map { shelf(try Tree.makeFolder(list.path(), in: $0)) }
        let years = try years(of: list)
        for year in years where !Task.isCancelled { try write(year, in: data, read) }
        try removeIndex(of: list, besides: years)
        guard let data else { return }
        let cover = try catalog.item(of: .cover(of: list)) ?? years.first?.items.last
        let line = try volume(0, of: list, [cover].compactMap(\.self)).lines.first
        try data.put(DataFile.bytes(list, years, cover: line), DataFile.list)
        try data.sync()
    }

    /// Writes the published index of a year and, for a gallery, its data.
    private func write(_ volume: Volume, in data: Shelf?, _ read: TextReader) throws {
        try writeIndex(volume, isShown: data != nil)
        guard let data else { return }
        try volume.writeTexts(in: data, read)
        try data.put(volume.script, "\(volume.year).js")
    }

    private func shelf(_ folder: Folder) -> Shelf { Shelf(folder: folder, unfinished: tree.unfinished) }

    /// `page`: nil where the folder of its scripts is somebody else's.
    private func writeRoot(_ page: IndexPage?, _ read: TextReader) throws {
        let feed = Feed(entries: try newest())
        let root = shelf(tree.root)
        try root.put(feed.bytes(in: tree.root, read), Feed.name)
        if var page {
            page.newest = try feed.newest.flatMap { newest in try read(newest.stored).map { (newest, $0) } }
            try root.put(page.bytes, IndexPage.name)
        }
        try root.sync()
    }

    /// What was corrected last and came to lists, where that is new.
    private func writeChanges(in data: Shelf) throws {
        let versions = try catalog.newestVersions(atMost: Feed.length)
        let stored = try Set(versions.map(\.key)).sorted().compactMap { try catalog.item(of: $0)?.stored }
        let arrivals = try catalog.arrivals(atMost: Feed.length)
        let listed = "\(versions) \(stored.map(\.json)) \(arrivals)"
        let source = "// \(Volume.version) \(Digest(of: listed.bytes))\n"
        if try data.has(Changes.script, from: source) { return }
        let changes = Changes(
            try Change.newest(versions.count, of: stored.map(\.name), in: tree.root), arrivals)
        if Task.isCancelled { return }
        let root = shelf(tree.root)
        try root.put(changes.bytes, Changes.feed)
        try root.sync()
        try data.put(DataFile.bytes("changes", changes.values, source: source), Changes.script)
    }

    /// The days of the feed.
    private func newest() throws -> [Feed.Entry] {
        let days = try catalog.newestStored(atMost: Feed.length)
        guard let first = days.last, let last = days.first else { return [] }
        let copies = try catalog.screenCopies(in: .days(first...last))
        return try catalog.items(in: .days(first...last)).reversed().compactMap { item in
            guard let day = item.key.day, let stored = item.stored else { return nil }
            return Feed.Entry(day: day, stored: stored, hasLarge: copies[PictureKey(item.key)] != nil)
        }
    }

    /// Writes the favorites alone. Without a gallery, does nothing: `write` makes it.
    package func writeFavorites() throws {
        guard let data = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data).map(shelf) else { return }
        try data.put(DataFile.bytes(favorites.known), DataFile.favorites)
        try data.sync()
    }
}

/// What there is of which year.
extension Gallery {
    /// Newest first. A list's cover is in none.
    private func years(of list: ListName) throws -> [Volume] {
        let items = try catalog.storedItems(of: list).filter { !$0.key.isCover }
        return try Dictionary(grouping: items) { $0.key.item?.date.flatMap { Int($0.prefix(4)) } ?? 0 }
            .sorted { $0.key > $1.key }.map { try volume($0.key, of: list, $0.value) }
    }

    /// `items`: of a list.
    private func volume(_ year: Int, of list: ListName? = nil, _ items: [Item]? = nil) throws -> Volume {
        let first = Day(year: year, month: 1, day: 1) ?? .first
        let last = Day(year: year, month: 12, day: 31) ?? first
        let scope = list.map(Scope.list) ?? .days(first...last)
        return Volume(
            list: list, year: year, items: try items ?? catalog.items(in: scope),
            copies: try catalog.screenCopies(in: scope), replaced: try catalog.versions(in: scope))
    }

    /// `isShown`: by a gallery, which has smaller copies.
    private func writeIndex(_ volume: Volume, isShown: Bool) throws {
        let (bytes, name) = (volume.index(isShown: isShown).document, IndexedYear.name(volume.year))
        let folder = try Tree.makeFolder(IndexedYear.folder(of: volume.list), in: tree.own)
        if (try? folder.file(name)?.contents(atMost: bytes.count)) == bytes { return }
        try Staged(bytes, in: tree.unfinished, as: "days-\(name)").publishDurably(in: folder, as: name)
    }

    /// Removes the index of years of which a list has nothing any more. The page does not look for their data.
    private func removeIndex(of list: ListName, besides years: [Volume] = []) throws {
        guard let folder = try Tree.existingFolder(list.path(IndexedYear.folder), in: tree.own) else { return }
        let names = years.map { IndexedYear.name($0.year) }
        for name in try folder.names() where !names.contains(name) { try folder.remove(name) }
    }

    /// The other lists that the page leads to.
    private func lists(in data: Folder) throws -> [ListName] {
        try Tree.listFolders(in: data).filter {
            try catalog.knows($0) && data.folder($0.path())?.facts(of: DataFile.list) != nil
        }
    }
}

/// Tells the mirror's files from others with the same names.
extension Gallery {
    private static let pages = [Feed.name, Changes.feed, IndexPage.name]

    /// The names under which there is something that is not the mirror's.
    package static func occupied(in root: Folder) throws -> [String] {
        try pages.filter { try GeneratedFile.isForeign($0, in: root) }
            + (GalleryFolder.isOwn(in: root) ? [] : [GalleryFolder.name])
    }

    /// The size of the data. The smaller copies are too many to add up.
    package static func bytes(in root: Folder) throws -> Int {
        func bytes(_ folder: Folder) throws -> Int {
            try folder.names().reduce(0) { sum, name in
                try sum + (Tree.existingFolder(name, in: folder).map(bytes) ?? folder.facts(of: name)?.bytes ?? 0)
            }
        }
        return try GalleryFolder.own(in: root)?.folder(GalleryFolder.data).map(bytes) ?? 0
    }

    /// Deletes the mirror's files, and nothing else. What comes back after a power cut is deleted once more.
    package func remove() throws {
        for name in Self.pages { try GeneratedFile.remove(name, from: tree.root) }
        guard let gallery = try GalleryFolder.own(in: tree.root) else { return }
        try removeScripts(GalleryFolder.data, from: gallery)
        for name in try gallery.names() { try GeneratedFile.remove(name, from: gallery) }
        try GalleryFolder.removeIfDone(from: tree.root)
    }

    /// Removes the mirror's scripts in a folder and those below it, and the folders that are empty then.
    private func removeScripts(_ name: String, from parent: Folder) throws {
        guard let folder = try parent.folder(name) else { return }
        for name in try folder.names() {
            if try folder.kind(of: name) == .folder {
                try removeScripts(name, from: folder)
            } else {
                try GeneratedFile.remove(name, from: folder)
            }
        }
        try parent.removeEmptyFolder(name)
    }
}
