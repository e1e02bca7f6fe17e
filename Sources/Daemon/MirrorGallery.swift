internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Files
internal import Gallery
internal import Syncing
internal import Upstream

/// The gallery of an open mirror, if its settings want one.
struct MirrorGallery: Sendable {
    private let mirror: OpenMirror
    private let gallery: Gallery

    init(_ mirror: OpenMirror) {
        self.mirror = mirror
        gallery = Gallery(mirror.archive) { LinkedText($0, in: $1) }
    }

    var isWanted: Bool { mirror.settings.gallery == .yes }

    /// Whether there is a gallery, and none is wanted.
    var isUnwanted: Bool { !isWanted && (try? gallery.isThere()) == true }

    /// Writes what has changed of some days and of the favorites, or deletes a gallery that is not wanted. `days`: nil: all
    /// of it. Cancelled, it leaves the rest for the next time.
    func update(_ days: Set<Day>?) throws(StorageError) {
        if let days, days.isEmpty {
            if isWanted { try gallery.writeFavorites() }
            return
        }
        let extent = days.map(Gallery.Extent.days) ?? .all
        guard isWanted else {
            try gallery.remove()
            return try gallery.writeIndex(extent)
        }
        let newest = try mirror.archive.catalog.newest()
        let wanted = try newest.flatMap { newest throws(StorageError) in try mirror.range.wanted(until: newest) }
        try gallery.write(extent, wanted: wanted)
    }

    /// Whether the gallery shows all days as they are or, where none is wanted, is gone.
    func isUpToDate() throws(StorageError) -> Bool {
        let last = try mirror.archive.catalog.fact(.gallery)
        guard try last == edition else { return false }
        guard try mirror.archive.tree.own.facts(of: IndexedYear.folder) != nil else { return false }
        return try gallery.isThere() == isWanted
    }

    func syncDisk() throws(StorageError) {
        guard mirror.settings.thumbnails == .yes else { return }
        try mirror.archive.tree.root.syncDisk()
    }

    /// Notes that the gallery shows all days as they are. Skipped if known: a write waits for the disk.
    func end() throws(StorageError) {
        let (catalog, edition) = (mirror.archive.catalog, try edition)
        if try catalog.fact(.gallery) != edition { try catalog.setFact(.gallery, edition) }
    }

    private var edition: Int {
        get throws(StorageError) {
            let settings = mirror.settings
            // With the settings that decide which days are wanted, and what is made of them.
            return Gallery.edition([
                "\(try mirror.range.since())", settings.keep?.description ?? "-", settings.maxTotal?.description ?? "-",
                "\(settings.thumbnailUses.rawValue)", settings.sidecars.rawValue,
            ])
        }
    }
}
