internal import Archive
internal import Concurrency
internal import Configuration
internal import Files
internal import Gallery
internal import Syncing

/// Keeps the gallery, the feed, the sidecars and the published index of days true to the mirror.
struct GalleryUpdates: Sendable {
    let context: ServiceContext

    /// A burst of changes is written once.
    private static let delay = Duration.seconds(2)
    /// The pause between two updates while days keep coming.
    private static let distance = Duration.seconds(5)
    /// The same after a change of favorites, which somebody may be waiting to see.
    private static let briefly = Duration.milliseconds(500)

    /// Runs until the task is cancelled.
    func run() async throws(StorageError) {
        let gallery = MirrorGallery(context.mirror)
        // Days may have changed while the service was down, or when an update failed.
        let mirror = context.mirror
        let sidecars = try await blocking { () throws(StorageError) in try mirror.sidecars() }
        try await update(gallery, .all)
        try await blocking { () throws(StorageError) in try sidecars.update(nil) }
        // Signalled without days when favorites have changed.
        for await _ in context.shownDays.signals {
            var days = context.shownDays.take()
            if !days.isEmpty {
                do throws(CancellationError) { try await sleep(for: Self.delay) } catch { return }
                days.formUnion(context.shownDays.take())
            }
            try await update(gallery, days.isEmpty ? nil : .days(days))
            try await blocking { [days] () throws(StorageError) in try sidecars.update(days) }
            let pause = days.isEmpty ? Self.briefly : Self.distance
            do throws(CancellationError) { try await sleep(for: pause) } catch { return }
        }
    }

    /// nil: only the favorites.
    private func update(_ gallery: MirrorGallery, _ extent: Gallery.Extent?) async throws(StorageError) {
        if let extent {
            try await gallery.update(extent)
        } else {
            try await blocking { () throws(StorageError) in try gallery.updateFavorites() }
        }
        await context.releaseMemory()
    }
}
