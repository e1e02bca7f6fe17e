import Apod
import Configuration
import Files
import Gallery
import Store
import Syncing
import Upstream

/// The gallery of an open mirror, if its settings want one, with its parts of other lists.
struct MirrorGallery: Sendable {
    private let mirror: OpenMirror
    private let gallery: Gallery

    /// Must be made before anything is written.
    init(_ mirror: OpenMirror) {
        self.mirror = mirror
        gallery = Gallery(mirror.archive) { LinkedText($0, in: $1) }
    }

    private var archive: Archive { mirror.archive }

    var isWanted: Bool { mirror.settings.gallery == .yes }

    /// Whether there is a gallery, and none is wanted.
    var isUnwanted: Bool { !isWanted && (try? gallery.isThere()) == true }

    /// Writes what has changed of some keys and of the favorites, or deletes a gallery that is not wanted. `keys`: nil: all
    /// of it. Cancelled, it leaves the rest for the next time. Returns whether all could be read.
    @discardableResult
    func update(_ keys: Set<Key>?) throws -> Bool {
        if let keys, keys.isEmpty {
            if isWanted { try gallery.writeFavorites() }
            return true
        }
        let changed = keys.map { Set($0.map(\.list)) }
        let lists = Set(mirror.settings.lists.map(\.name) + Archive.lists(root: mirror.settings.root))
            .filter { changed?.contains($0) ?? true }
        if !isWanted { try gallery.remove() }
        return try gallery.write(keys?.days, lists: lists.sorted(), wanted: try wanted, isShown: isWanted)
    }

    private var wanted: ClosedRange<Day>? {
        get throws {
            let newest = try mirror.archive.catalog.newest()
            return try newest.flatMap { newest in try mirror.range.wanted(until: newest) }
        }
    }

    /// Whether the gallery shows all days as they are or, where none is wanted, is gone.
    func isUpToDate() throws -> Bool {
        let last = try archive.catalog.fact(.gallery)
        guard try last == edition else { return false }
        guard try Tree.existingFolder(IndexedYear.folder(of: nil), in: archive.tree.own) != nil else { return false }
        return try gallery.isThere() == isWanted
    }

    func syncDisk() throws {
        guard mirror.settings.thumbnails == .yes else { return }
        try mirror.archive.tree.root.syncDisk()
    }

    /// Notes that the gallery shows all days as they are. Skipped if known: a write waits for the disk.
    func end() throws {
        let (catalog, edition) = (archive.catalog, try edition)
        if try catalog.fact(.gallery) != edition { try catalog.setFact(.gallery, edition) }
    }

    private var edition: Int {
        get throws {
            let settings = mirror.settings
            // With the settings that decide which days are wanted, and what is made of them.
            return Gallery.edition(
                isShown: isWanted,
                [
                    "\(try mirror.range.since())", settings.keep?.description ?? "-",
                    settings.maxTotal?.description ?? "-",
                    "\(settings.thumbnailUses.rawValue)", settings.sidecars.rawValue,
                ])
        }
    }
}
