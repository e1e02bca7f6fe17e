package import Apod
package import Archive
import Catalog
package import Files

/// `index.html`, `gallery/` and `feed.xml`: the mirror for a browser and for feed readers.
///
/// `IndexPage` is the page, with an `ArchiveBar`; `Look` has its script and style. The script loads data: a `Volume` for
/// each year, and `PlainData`. All can be made again from the catalog and the tree. Files of others with these names stay.
///
/// Of another list, it is only the data of that list (`gallery/data/lists/cats`), which the page loads when the list is
/// opened.
package struct Gallery: Sendable {
    private let tree: Tree
    private let catalog: Catalog
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
        if list != nil { return try existingData()?.facts(of: PlainData.list) != nil }
        guard try tree.root.facts(of: IndexPage.name) != nil else { return false }
        return try GalleryFolder.own(in: tree.root)?.facts(of: GalleryFolder.script) != nil
    }

    private func existingData() throws -> Folder? {
        let data = try GalleryFolder.own(in: tree.root)?.folder(GalleryFolder.data)
        guard let list, let data else { return data }
        return try Tree.existingFolder(list.path(), in: data)
    }

    package enum Extent: Sendable {
        case all
        /// The years of these days.
        case days(Set<Day>)
    }

    /// Writes what has changed, the newest year first; of a list, all that has. `wanted`: the days to mirror; those that
    /// are not here are shown as missing. Cancelled, it leaves the older years for the next time.
    package func write(_ extent: Extent, wanted: ClosedRange<Day>?) throws {
        guard let gallery = try GalleryFolder.make(in: tree.root) else {
            try writeIndex(extent)
            if list == nil { try writeRoot(nil) }
            return
        }
        let isNew = try gallery.kind(of: GalleryFolder.data) == nil
        let all = try gallery.makeFolder(GalleryFolder.data)
        let bar = try bar(wanted: wanted)
        let years = try years(of: isNew ? .all : extent, bar)
        var data = shelf(all)
        if let list {
            data = shelf(try Tree.makeFolder(list.path(), in: all))
        } else {
            var look = shelf(gallery)
            for (name, bytes) in Look.files { try look.put(bytes, name) }
            try look.sync()
            try data.put(PlainData.bytes(favorites.known), PlainData.favorites)
            try data.put(PlainData.bytes(catalog.links()), PlainData.links)
        }
        for year in years.prefix(1) { try write(volume(year), in: &data) }
        if list == nil {
            // After the data that the page shows first. Older years can take a while.
            try data.sync()
            try writeRoot(bar, lists: Self.lists(in: all))
        }
        for year in years.dropFirst() where !Task.isCancelled { try write(volume(year), in: &data) }
        if let list {
            let cover = try catalog.status(of: FileName.cover(of: list).day) ?? years.first?.items?.last
            let line = try volume((0, [cover].compactMap(\.self))).lines.first
            let counts = years.map { ($0.number, ($0.items ?? []).count { $0.whole?.image != nil }) }
            try data.put(PlainData.bytes(list, counts, cover: line), PlainData.list)
        }
        try data.sync()
        try removeIndex(besides: years)
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
        guard let folder = try existingData() else { return }
        var data = shelf(folder)
        try data.put(PlainData.bytes(favorites.known), PlainData.favorites)
        try data.sync()
    }

    /// Writes the published index alone, for a mirror without a gallery.
    package func writeIndex(_ extent: Extent) throws {
        let years = try years(of: extent, bar())
        for year in years where !Task.isCancelled { try writeIndex(volume(year), isShown: false) }
        try removeIndex(besides: years)
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
    /// A year and, of a list, its items.
    typealias Year = (number: Int, items: [DayStatus]?)

    private func bar(wanted: ClosedRange<Day>? = nil) throws -> ArchiveBar {
        let states = try catalog.calendarStates()
        return ArchiveBar(known: states.known, others: states.others, wanted: wanted)
    }

    /// Newest first. A list's cover is in none.
    private func years(of extent: Extent, _ bar: ArchiveBar) throws -> [Year] {
        if let list {
            let items = try catalog.storedItems(of: list).filter { $0.stored?.name.isCover != true }
            return Dictionary(grouping: items) { Int($0.stored?.name.yearOfItem ?? "") ?? 0 }
                .sorted { $0.key > $1.key }.map { ($0.key, $0.value) }
        }
        let years =
            switch extent {
            case .all: bar.years.map(\.year)
            case .days(let days): Set(days.map(\.year)).sorted()
            }
        return years.reversed().map { ($0, nil) }
    }

    private func volume(_ year: Year) throws -> Volume {
        let first = Day(year: year.number, month: 1, day: 1) ?? .first
        let last = Day(year: year.number, month: 12, day: 31) ?? first
        let range = list.map { Day.all(of: $0) } ?? first...last
        let days = if let items = year.items { items } else { try catalog.statuses(in: range) }
        return Volume(
            list: list, year: year.number, days: days, copies: try catalog.screenCopies(in: range),
            replaced: try catalog.versions(in: range))
    }

    /// `isShown`: by a gallery, which has smaller copies.
    private func writeIndex(_ volume: Volume, isShown: Bool) throws {
        let (bytes, name) = (volume.index(isShown: isShown).document, IndexedYear.name(volume.year))
        let folder = try Tree.makeFolder(IndexedYear.folder(of: list), in: tree.own)
        if try folder.facts(of: name)?.bytes == bytes.count,
            try folder.file(name)?.contents(atMost: bytes.count) == bytes
        {
            return
        }
        try Staged(bytes, in: tree.unfinished, as: "days-\(name)").publishDurably(in: folder, as: name)
    }

    /// Removes the index of years of which a list has nothing any more. The page does not look for their data.
    private func removeIndex(besides years: [Year]) throws {
        guard let list, let folder = try Tree.existingFolder(list.path(IndexedYear.folder), in: tree.own) else {
            return
        }
        let names = years.map { IndexedYear.name($0.number) }
        for name in try folder.names() where !names.contains(name) { try folder.remove(name) }
    }
}

/// The other lists that the page leads to.
extension Gallery {
    private static func folders(ofListsIn data: Folder) throws -> [(name: String, folder: Folder)] {
        try data.folder(Tree.lists)?.folders { ListName($0) != nil } ?? []
    }

    private static func lists(in data: Folder) throws -> [ListName] {
        var lists: [ListName] = []
        for (name, folder) in try folders(ofListsIn: data) where try folder.facts(of: PlainData.list) != nil {
            lists += [name].compactMap { ListName($0) }
        }
        return lists.sorted()
    }

    /// Leads from the page to all other lists, if it does not yet.
    package func showLists(wanted: ClosedRange<Day>?) throws {
        guard let data = try existingData(), let page = try GeneratedFile.contents(IndexPage.name, in: tree.root)
        else { return }
        let link = IndexPage.link(to: try Self.lists(in: data))
        if !String(decoding: page, as: UTF8.self).contains(link) { try write(.days([]), wanted: wanted) }
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
        let (root, data) = (tree.root, GalleryFolder.data)
        let names = list == nil ? [IndexPage.name, Feed.name] : []
        var isThere = false
        for name in names + [GalleryFolder.name] where try root.kind(of: name) != nil { isThere = true }
        // The sync below would wait for the disk.
        if !isThere { return }
        for name in names { try GeneratedFile.remove(name, from: root) }
        guard let gallery = try GalleryFolder.own(in: root) else { return }
        if let folder = try existingData() {
            for name in try folder.names() where name.hasSuffix(".js") { try GeneratedFile.remove(name, from: folder) }
        }
        for path in list.map({ ["\(data)/\($0.path())", "\(data)/\(Tree.lists)"] }) ?? [] {
            try gallery.removeEmptyFolder(path)
        }
        try gallery.removeEmptyFolder(data)
        if list == nil { for (name, _) in Look.files.reversed() { try GeneratedFile.remove(name, from: gallery) } }
        try GalleryFolder.removeIfDone(from: root)
        try root.sync()
    }
}
