internal import Apod
package import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
package import Gallery
internal import Synchronization
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

    /// Writes what has become another, or takes all away. A cancelled task leaves the rest for the next time.
    package func update(_ extent: Gallery.Extent) async throws(ArchiveError) {
        let isStopped = StopFlag()
        let result = await withTaskCancellationHandler {
            await blocking { [self] in
                Result { () throws(ArchiveError) in try update(extent) { isStopped.isSet } }
            }
        } onCancel: {
            isStopped.set()
        }
        try result.get()
    }

    private func update(_ extent: Gallery.Extent, unless isStopped: () -> Bool) throws(ArchiveError) {
        guard isWanted else { return try gallery.remove() }
        let newest = try ArchiveError.wrapping { () throws(CatalogError) in try mirror.archive.catalog.newest() }
        let wanted = try newest.flatMap { newest throws(ArchiveError) in try mirror.wanted(until: newest) }
        try gallery.write(extent, wanted: wanted, unless: isStopped)
    }

    package func updateFavorites() throws(ArchiveError) { if isWanted { try gallery.writeFavorites() } }
}

private final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
