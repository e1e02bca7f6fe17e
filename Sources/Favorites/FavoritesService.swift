internal import Apod
package import Archive
package import Catalog
internal import Concurrency
package import Files
import Synchronization
package import Watching

/// Watches the favorites folder and keeps the catalog true to it.
package final class FavoritesService: Sendable {
    package enum Event: Sendable {
        /// The folder is watched in another way than before.
        case watching(WatchState)
        /// So many folders are looked at every few minutes only.
        case unwatched(Int)
        /// More than a few links went together.
        case lost(LinkLoss)
        /// It could not be remembered; it is tried again. Told once, until it goes well again.
        case failed(StorageError)
        case recovered
        /// Now it is known what the favorites are, as far as anybody can know it.
        case known
        /// The links are in order, and the list is written.
        case settled
    }

    /// What can fail by itself.
    private enum Loop { case note, settle, tidy }

    private let archive: Archive
    private let reconciler: Reconciler
    private let changeQueue = ChangeQueue()
    /// There may be something to settle, or to put in order: the one does not wait for the other.
    private let settling: Work
    private let tidying: Work
    private let report: @Sendable (Event) -> Void
    private let changed: AsyncStream<Void>.Continuation
    private struct Health {
        /// What went wrong the last time.
        var troubles: [Loop: String] = [:]
        var isKnown = false
        /// As they were reported.
        var watching: WatchState?
        var unwatched = 0
    }

    private let health = Mutex(Health())
    /// While it runs.
    private let watcher = Mutex<Watcher?>(nil)
    /// What is new has been remembered.
    package let changes: AsyncStream<Void>

    /// What is done when nothing has changed for a while.
    private struct Work: Sendable {
        let requests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let debounce: Debounce

        init(delay: Duration) { debounce = Debounce(delay: delay) }

        func request() {
            debounce.restart()
            requests.continuation.yield()
        }
    }

    package init(
        _ archive: Archive, clock: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (Event) -> Void
    ) {
        self.archive = archive
        reconciler = Reconciler(archive, clock: clock)
        settling = Work(delay: reconciler.settleDelay)
        tidying = Work(delay: reconciler.settleDelay)
        self.report = report
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Until the task is cancelled. Throws what only opening the mirror anew can mend.
    package func run() async throws(StorageError) {
        let (failure, watcher) = await withTaskCancellationHandler {
            let watcher = await blocking { [self] in
                reconciler.makeFolder()
                return Watcher(
                    root: archive.tree.root.path, changeQueue: changeQueue,
                    known: { [archive] in Self.albums(in: archive.catalog) })
            }
            self.watcher.withLock { $0 = watcher }
            health.withLock { ($0.watching, $0.unwatched) = (nil, 0) }
            return (await work(), watcher)
        } onCancel: {
            reconciler.stop()
        }
        self.watcher.withLock { $0 = nil }
        await blocking { watcher.stop() }
        if let failure { throw failure }
    }

    private func work() async -> StorageError? {
        await withTaskGroup(of: StorageError?.self) { group in
            // A link is remembered soon: nobody waits for a second thread.
            group.addTask(executorPreference: Workers.shared) { [self] in await note() }
            group.addTask { [self] in await run(settling, .settle) { [self] () throws(StorageError) in try settle() } }
            group.addTask { [self] in await run(tidying, .tidy) { [self] () throws(StorageError) in try tidy() } }
            group.addTask { [self] in
                await noteNewDays()
                return nil
            }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    /// Returns when the thread that watches has answered.
    package func answer() async { await watcher.withLock(\.self)?.answer() }

    /// Does what somebody asked for: `work` makes and takes links, and returns where. Returns when that is remembered, and the
    /// list says so.
    package func carryOut(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError) {
        defer { settleSoon() }
        try await blocking { [reconciler] () throws(StorageError) in try reconciler.carryOut(work) }
        changed.yield()
    }

    /// Looks at everything again.
    package func look() { changeQueue.addEverywhere() }

    /// Wakes whoever waits for `changes`, though nothing has changed.
    package func remind() { changed.yield() }

    private func settleSoon() {
        settling.request()
        tidying.request()
    }

    private func note() async -> StorageError? {
        for await _ in changeQueue.wakeUps {
            if let failure = await noteUntilDone(changeQueue.take()) { return failure }
            // Whoever waits for that is told before others begin their work.
            tellWatching()
            settleSoon()
            changed.yield()
        }
        return nil
    }

    /// Whether it is known what the favorites are. Whether links are in order, and the list is written, is another
    /// matter.
    package var knowsFavorites: Bool { health.withLock(\.isKnown) }

    private func tellWhenKnown() {
        let isNews = health.withLock { health in
            let wasKnown = health.isKnown
            health.isKnown = reconciler.knowsFavorites && health.troubles[.note] == nil
            return health.isKnown && !wasKnown
        }
        if isNews { report(.known) }
    }

    private func tell(of error: StorageError?, in loop: Loop) {
        let (before, isWell) = health.withLock { health in
            defer { health.troubles[loop] = error?.description }
            let isWell = health.troubles.keys.allSatisfy { $0 == loop }
            return (health.troubles[loop], isWell)
        }
        if let error, error.description != before { report(.failed(error)) }
        if error == nil, before != nil, isWell {
            report(.recovered)
            // That is no better.
            if let watching = watcher.withLock(\.self)?.watching, watching.isLost { report(.watching(watching)) }
        }
        tellWhenKnown()
    }

    /// How the folder is watched, where that has become another.
    private func tellWatching() {
        guard let watcher = watcher.withLock(\.self) else { return }
        let (watching, unwatched) = (watcher.watching, watcher.unwatched)
        let before = health.withLock { health in
            defer { (health.watching, health.unwatched) = (watching, unwatched) }
            return (watching: health.watching, unwatched: health.unwatched)
        }
        if watching != before.watching { report(.watching(watching)) }
        if unwatched != before.unwatched { report(.unwatched(unwatched)) }
    }

    /// Those with favorites, and those that they are in.
    private static func albums(in catalog: Catalog) -> Set<Album> {
        Set(((try? catalog.albums()) ?? []).lazy.flatMap(\.way))
    }

    /// Puts links in order whose days were still to come, and has the list say what days are called now.
    private func noteNewDays() async {
        for await _ in archive.newDays.signals {
            let days = archive.newDays.take()
            if await blocking({ [reconciler] in reconciler.noteNewDays(days) }) { settleSoon() }
        }
    }

    /// What cannot be remembered now, on a full disk perhaps, is remembered later. Returns what later cannot mend.
    private func noteUntilDone(_ first: DirtyPaths) async -> StorageError? {
        var dirty = first
        var backoff = Self.backoff
        while !Task.isCancelled {
            do throws(StorageError) {
                try reconciler.note(dirty)
                tell(of: nil, in: .note)
                return nil
            } catch {
                if error.endsService { return error }
                tell(of: error, in: .note)
                try? await sleep(for: backoff.next())
                dirty.add(changeQueue.take())
            }
        }
        return nil
    }

    /// `work` returns whether nothing is left to be done later.
    private func run(
        _ work: Work, _ loop: Loop, _ body: @escaping @Sendable () throws(StorageError) -> Bool
    ) async -> StorageError? {
        for await _ in work.requests.stream {
            var backoff = Self.backoff
            while await work.debounce.waitUntilQuiet() {
                do throws(StorageError) {
                    let isDone = try await blocking(body)
                    tell(of: nil, in: loop)
                    if isDone { break }
                } catch {
                    if error.endsService { return error }
                    tell(of: error, in: loop)
                    try? await sleep(for: backoff.next())
                }
                work.debounce.restart()
            }
        }
        return nil
    }

    private func tidy() throws(StorageError) -> Bool {
        defer { if reconciler.isListOld { settling.request() } }
        return try reconciler.tidy()
    }

    /// What was needed for the work goes back to the system when nothing is left to be done: there may be days until the next.
    private func settle() throws(StorageError) -> Bool {
        let isDone = try reconciler.end()
        if reconciler.hasWork { tidying.request() }
        if let loss = reconciler.takeLoss() { report(.lost(loss)) }
        guard isDone else { return false }
        tellWatching()
        // Where it is not watched, the folder is looked at every few seconds, and is as it was.
        guard reconciler.takeNews() else { return true }
        archive.catalog.releaseMemory()
        Memory.trim()
        report(.settled)
        return true
    }

    /// Between two attempts to do what failed.
    private static let backoff = Backoff(Duration.seconds(1), atMost: .seconds(30))
}
