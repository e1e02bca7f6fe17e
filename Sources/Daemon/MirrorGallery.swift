internal import Apod
internal import Archive
internal import Catalog
internal import Configuration
internal import Files
internal import Gallery
internal import Syncing
internal import Upstream

/// The gallery of an open mirror, if its settings want one, or the part of it that another list has.
struct MirrorGallery: Sendable {
    private let mirror: OpenMirror
    private let list: ListName?
    private let gallery: Gallery
    /// The favorites of a list that its sidecars are to show. The sidecars of days hear of favorites as they come.
    private let starred: Set<Day>

    /// Must be made before anything is written.
    init(_ mirror: OpenMirror, of list: ListName? = nil) {
        (self.mirror, self.list) = (mirror, list)
        gallery = Gallery(mirror.archive, of: list) { LinkedText($0, in: $1) }
        let areListed = list != nil && mirror.settings.sidecars == .yes
        starred = areListed ? Sidecars.favorites(in: mirror.archive, of: list) : []
    }

    private var archive: Archive { mirror.archive }

    var isWanted: Bool { mirror.settings.gallery == .yes }

    /// Whether there is a gallery, and none is wanted.
    var isUnwanted: Bool { !isWanted && (try? gallery.isThere()) == true }

    /// Writes what has changed of some days and of the favorites, or deletes a gallery that is not wanted. `days`: nil: all
    /// of it. Cancelled, it leaves the rest for the next time.
    func update(_ days: Set<Day>?) throws {
        if let days, days.isEmpty {
            if isWanted { try gallery.writeFavorites() }
            return
        }
        let extent = days.map(Gallery.Extent.days) ?? .all
        guard isWanted else {
            try gallery.remove()
            return try gallery.writeIndex(extent)
        }
        try gallery.write(extent, wanted: try wanted)
    }

    private var wanted: ClosedRange<Day>? {
        get throws {
            let newest = try mirror.archive.catalog.newest()
            return try newest.flatMap { newest in try mirror.range.wanted(until: newest) }
        }
    }

    /// Leads from the page to the other lists.
    func showLists() throws {
        if isWanted { try gallery.showLists(wanted: try wanted) }
    }

    /// Whether the gallery shows all days as they are or, where none is wanted, is gone.
    func isUpToDate() throws -> Bool {
        let last = try archive.catalog.fact(.gallery, of: list)
        guard try last == edition else { return false }
        guard try Tree.existingFolder(IndexedYear.folder(of: list), in: archive.tree.own) != nil else { return false }
        return try gallery.isThere() == isWanted
    }

    func syncDisk() throws {
        guard mirror.settings.thumbnails == .yes else { return }
        try mirror.archive.tree.root.syncDisk()
    }

    /// Notes that the gallery shows all days as they are. Skipped if known: a write waits for the disk.
    func end() throws {
        let (catalog, edition) = (archive.catalog, try edition)
        if try catalog.fact(.gallery, of: list) != edition { try catalog.setFact(.gallery, of: list, edition) }
    }

    private var edition: Int {
        get throws {
            let settings = mirror.settings
            // With the settings that decide which days are wanted, and what is made of them.
            return Gallery.edition(
                [
                    "\(try mirror.range.since())", settings.keep?.description ?? "-",
                    settings.maxTotal?.description ?? "-",
                    "\(settings.thumbnailUses.rawValue)", settings.sidecars.rawValue,
                ] + starred.map { "\($0)" }.sorted())
        }
    }
}
