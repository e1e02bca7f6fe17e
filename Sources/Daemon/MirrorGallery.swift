internal import Apod
package import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Control
package import Files
package import Gallery
package import Syncing
internal import Upstream

/// The gallery of an open mirror, if its settings want one.
package struct MirrorGallery: Sendable {
    private let mirror: OpenMirror
    private let gallery: Gallery

    package init(_ mirror: OpenMirror) {
        self.mirror = mirror
        gallery = Gallery(mirror.archive) { LinkedText($0, in: $1) }
    }

    package var isWanted: Bool { mirror.settings.gallery == .yes }

    /// Whether there is a gallery, and none is wanted.
    var isUnwanted: Bool { !isWanted && (try? gallery.isThere()) == true }

    /// Writes what has changed, or deletes a gallery that is not wanted. Cancelled, it leaves the rest for the next
    /// time.
    package func update(_ extent: Gallery.Extent) async throws(StorageError) {
        try await blocking { () throws(StorageError) in try write(extent) }
    }

    private func write(_ extent: Gallery.Extent) throws(StorageError) {
        guard isWanted else {
            try gallery.remove()
            return try gallery.writeIndex(extent)
        }
        let newest = try mirror.archive.catalog.newest()
        let wanted = try newest.flatMap { newest throws(StorageError) in try mirror.range.wanted(until: newest) }
        try gallery.write(extent, wanted: wanted)
    }

    package func updateFavorites() throws(StorageError) { if isWanted { try gallery.writeFavorites() } }

    /// Whether the gallery shows all days as they are or, where none is wanted, is gone.
    package func isUpToDate() throws(StorageError) -> Bool {
        let last = try mirror.archive.catalog.fact(.gallery)
        guard try last == edition else { return false }
        guard try mirror.archive.tree.own.facts(of: IndexedYear.folder) != nil else { return false }
        return isWanted ? try gallery.isThere() : true
    }

    func syncDisk() throws(StorageError) {
        guard mirror.settings.thumbnails == .yes else { return }
        try mirror.archive.tree.root.syncDisk()
    }

    /// Notes that the gallery shows all days as they are. Skipped if known: a write waits for the disk.
    package func end() throws(StorageError) {
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

extension OpenMirror {
    /// The sidecars, as `settings` want them (`Sidecars.init`).
    package func sidecars() throws(StorageError) -> Sidecars {
        try Sidecars(archive, areWanted: settings.sidecars == .yes)
    }
}

/// Brings the gallery up to date at the end of a command: the years of the changed days, or all of it if it was not up
/// to date before.
package struct GalleryCatchUp: Sendable {
    package let changedDays: ChangedDays
    /// Whether the gallery was up to date at the beginning.
    package let isUpToDate: Bool
    private let gallery: MirrorGallery

    /// Must be made before anything changes.
    package init(_ mirror: OpenMirror) {
        gallery = MirrorGallery(mirror)
        changedDays = mirror.archive.changedDays()
        isUpToDate = (try? gallery.isUpToDate()) ?? false
    }

    /// Updates the gallery before thumbnails are made, which can take long. `run` must follow.
    package func runFirst() async throws(StorageError) {
        let days = changedDays.all
        guard gallery.isWanted, !isUpToDate || !days.isEmpty else { return }
        try await gallery.update(isUpToDate ? .days(days) : .all)
    }

    /// Whether there is a gallery that `run` deletes.
    package var isUnwanted: Bool { gallery.isUnwanted }

    /// `isComplete`: all missing thumbnails were looked for, and all sidecars are written.
    package func run(isComplete: Bool) async throws(StorageError) {
        let days = changedDays.take()
        if !isUpToDate || gallery.isUnwanted {
            try await gallery.update(.all)
        } else if days.isEmpty {
            try await blocking { [gallery] () throws(StorageError) in try gallery.updateFavorites() }
        } else {
            try await gallery.update(.days(days))
        }
        guard isComplete, !Task.isCancelled else { return }
        try await blocking { [gallery, isUpToDate] () throws(StorageError) in
            // Thumbnails for file managers are not synced file by file.
            if !days.isEmpty || !isUpToDate { try gallery.syncDisk() }
            try gallery.end()
        }
    }
}
