internal import Archive
internal import Concurrency
internal import Files
internal import Gallery
internal import Syncing

/// Keeps the gallery and the feed true to the mirror.
struct GalleryUpdates: Sendable {
    let context: ServiceContext

    /// What comes in a burst is written once.
    private static let delay = Duration.seconds(2)
    /// Between two times, as long as days come one after the other.
    private static let distance = Duration.seconds(5)

    /// Until the task is cancelled.
    func run() async throws(StorageError) {
        let gallery = MirrorGallery(context.mirror)
        // Also what changed while nobody looked, or when this failed.
        try await update(gallery, .all)
        guard gallery.isWanted else { return }
        // Also rung when favorites have changed.
        for await _ in context.shownDays.signals {
            do throws(CancellationError) { try await sleep(for: Self.delay) } catch { return }
            let days = context.shownDays.take()
            try await update(gallery, days.isEmpty ? nil : .days(days))
            do throws(CancellationError) { try await sleep(for: Self.distance) } catch { return }
        }
    }

    /// nil: no more than the favorites.
    private func update(_ gallery: MirrorGallery, _ extent: Gallery.Extent?) async throws(StorageError) {
        if let extent {
            try await gallery.update(extent)
        } else {
            try await blocking { () throws(StorageError) in try gallery.updateFavorites() }
        }
        await context.releaseMemory()
    }
}
