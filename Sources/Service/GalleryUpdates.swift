import Apod
import Configuration
import Files
import Gallery
import Store
import Syncing
import Thumbnails

/// Keeps the gallery, the feed, the sidecars and the published index of days true to the mirror.
struct GalleryUpdates: Sendable {
    private let context: ServiceContext
    private let gallery: MirrorGallery
    private let sidecars: Sidecars
    private let linkFolders: LinkFolders
    private let frame: FrameFolder
    /// Rings when the folder for frames may lack something.
    let frameBell = Doorbell()
    /// Rings for `fill`.
    private let asked: Doorbell

    /// A burst of changes is written once.
    private static let delay = Duration.seconds(2)
    /// The pause between two updates while days keep coming.
    private static let distance = Duration.seconds(5)
    /// The same after a change of favorites, which somebody may be waiting to see.
    private static let briefly = Duration.milliseconds(500)

    /// Must be made before anything changes.
    init(context: ServiceContext, asked: Doorbell) {
        (self.context, self.asked) = (context, asked)
        linkFolders = LinkFolders(context.mirror.archive)
        frame = FrameFolder(context.mirror.archive, context.mirror.settings.frame)
        gallery = MirrorGallery(context.mirror)
        sidecars = Sidecars(context.mirror.archive, areWanted: context.mirror.settings.sidecars == .yes)
    }

    /// Runs until the task is cancelled.
    func run() async throws {
        // Days may have changed while the service was down, or when an update failed.
        try await update(nil)
        // Signalled without keys when favorites have changed.
        while (try? await context.shown.changed()) != nil {
            var keys = context.shown.take()
            if !keys.isEmpty {
                do throws(CancellationError) { try await sleep(for: Self.delay) } catch { return }
                keys.formUnion(context.shown.take())
            }
            let start = ContinuousClock.now
            try await update(keys)
            // A long list is drawn whole.
            let pause = keys.isEmpty ? Self.briefly : max(Self.distance, (.now - start) * 4)
            do throws(CancellationError) { try await sleep(for: pause) } catch { return }
        }
    }

    private func update(_ keys: Set<Key>?) async throws {
        try await show(keys)
        await context.releaseMemory()
        try await describe(keys)
    }

    /// Brings the gallery up to date: these keys, and the favorites. nil: all of it. Returns whether all could be read.
    @discardableResult
    func show(_ keys: Set<Key>?) async throws -> Bool {
        try await context.drawing { try gallery.update(keys) }
    }

    /// The same for the sidecars, and for the folders of links.
    func describe(_ keys: Set<Key>?) async throws {
        try await context.drawing {
            do { try linkFolders.update(keys, on: Time.date(context.time.now).day) } catch { asked.ring() }
            try sidecars.update(keys)
        }
        frameBell.ring()
    }

    func fillFrame() async throws { try await frame.update() }

    /// Fills folders of links that are new. Returns when the next day begins, if one of them goes by it.
    func fill() async throws -> Int? {
        let (today, end) = Time.date(context.time.now)
        try await context.drawing { try linkFolders.update([], favorites: false, on: today) }
        return linkFolders.hasToday ? end : nil
    }

    var isUpToDate: Bool { (try? gallery.isUpToDate()) ?? false }

    var isUnwanted: Bool { gallery.isUnwanted }

    /// Notes that all days are shown as they are, with their copies and sidecars.
    func end(hasChanged: Bool) async throws {
        try await blocking {
            // Thumbnails for file managers are not synced file by file.
            if hasChanged { try gallery.syncDisk() }
            try gallery.end()
        }
    }
}
