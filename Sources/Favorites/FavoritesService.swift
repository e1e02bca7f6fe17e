internal import Apod
package import Archive
internal import Catalog
internal import Concurrency
package import Files
import Synchronization

/// Watches the favorites folder and keeps the history true to it.
///
/// A `Watcher` queues places that may have changed. Four loops call a `Reconciler`: `note` at once, `end` and `tidy` when a
/// `Debounce` sees no more changes, `lookAgain` for what could not be looked at. `LinkResolver` tells what is at a
/// place, `FavoritesState` what that means, and `Adoption` puts it in order. `FavoritesEditor` acts for commands;
/// `FavoritesSnapshot` only looks.
package final class FavoritesService: Sendable {
    package enum Event: Sendable {
        case watching(WatchState)
        /// More than a few links went together.
        case lost(LinkLoss)
        /// A step failed and is tried again. The same error is reported once, until the step succeeds.
        case failed(StorageError)
        case recovered
        /// The folder was scanned or is missing: the favorites can be relied on.
        case known
        /// No link is still waiting to end, and the list is written.
        case settled
    }

    private enum Loop { case note, settle, tidy, look }

    private let archive: Archive
    private let reconciler: Reconciler
    private let changeQueue = ChangeQueue()
    /// Two loops, as tidying may take long and must not delay settling.
    private let settling: Work
    private let tidying: Work
    private let looking = Work(delay: .seconds(1), longestPause: .seconds(3600))
    private let wholeLook: Duration
    private let report: @Sendable (Event) -> Void
    private let changed: AsyncStream<Void>.Continuation
    private struct Health {
        /// The last error of each loop that fails.
        var troubles: [Loop: StorageError] = [:]
        var isKnown = false
        /// The state last reported.
        var watching: WatchState?
    }

    private let health = Mutex(Health())
    /// nil unless `run` is running.
    private let watcher = Mutex<Watcher?>(nil)
    /// Yields when changes may have been recorded, and on `remind`.
    package let changes: AsyncStream<Void>

    /// Work to be done once nothing has changed for a while.
    private struct Work: Sendable {
        let requests = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let debounce: Debounce
        let backoff: Backoff<Duration>

        init(delay: Duration, longestPause: Duration = .seconds(30)) {
            debounce = Debounce(delay: delay)
            backoff = Backoff(.seconds(1), atMost: longestPause)
        }

        func request() {
            debounce.restart()
            requests.continuation.yield()
        }
    }

    /// `wholeLook`: the time between two scans of the whole folder.
    package init(
        _ archive: Archive, clock: @escaping @Sendable () -> Int, wholeLook: Duration = .seconds(86_400),
        report: @escaping @Sendable (Event) -> Void
    ) {
        (self.archive, self.wholeLook) = (archive, wholeLook)
        reconciler = Reconciler(archive, clock: clock)
        settling = Work(delay: reconciler.settleDelay)
        tidying = Work(delay: reconciler.settleDelay)
        self.report = report
        (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Runs until the task is cancelled. Throws errors that only opening the mirror again can mend.
    package func run() async throws(StorageError) {
        let watcher = await blocking { [self] in
            reconciler.makeFolder()
            return Watcher(root: archive.tree.root.path, changeQueue: changeQueue)
        }
        self.watcher.withLock { $0 = watcher }
        health.withLock { $0.watching = nil }
        // Before the first look, which takes longer the more links there are.
        tellWatching()
        let failure = await work()
        self.watcher.withLock { $0 = nil }
        await blocking { watcher.stop() }
        if let failure { throw failure }
    }

    private func work() async -> StorageError? {
        await withTaskGroup(of: StorageError?.self) { group in
            // On a thread that may block: a hop to another one would delay each link.
            group.addTask(executorPreference: Workers.shared) { [self] in await note() }
            group.addTask { [self] in await run(settling, .settle) { [self] () throws(StorageError) in try settle() } }
            group.addTask { [self] in await run(tidying, .tidy) { [self] () throws(StorageError) in try tidy() } }
            group.addTask { [self] in await run(looking, .look) { [self] () throws(StorageError) in try lookAgain() } }
            group.addTask { [self] in
                await noteNewDays()
                return nil
            }
            group.addTask { [self] in
                // Events are hints.
                while (try? await sleep(for: wholeLook)) != nil { lookEverywhere() }
                return nil
            }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
    }

    /// Returns when the watching thread has answered.
    package func answer() async { await watcher.withLock(\.self)?.answer() }

    /// Runs `work` as `Reconciler.carryOut` does.
    package func carryOut(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError) {
        defer { settleSoon() }
        try await blocking { [reconciler] () throws(StorageError) in try reconciler.carryOut(work) }
        changed.yield()
    }

    /// In place of `run`, for a process that does one job: looks at the whole folder.
    package func lookOnce() async throws(StorageError) {
        try await blocking { () throws(StorageError) in
            reconciler.makeFolder()
            try reconciler.note(.everywhere)
        }
    }

    /// The same: ends and puts in order what there is. Waits a few seconds for links that must stay away and copies that
    /// must rest. What cannot be looked at holds up nothing else.
    package func settleOnce() async throws(StorageError) {
        var failure: StorageError?
        do throws(StorageError) {
            try await blocking { () throws(StorageError) in
                // Links to a file that was replaced are led to the new one.
                _ = reconciler.noteNewDays(archive.newDays.take())
                try reconciler.lookAgain()
            }
        } catch {
            failure = error
        }
        for _ in 1...3 {
            if try await blocking({ () throws(StorageError) in try reconciler.settle() }) { break }
            do { try await sleep(for: reconciler.settleDelay) } catch { break }
        }
        if let loss = reconciler.takeLoss() { report(.lost(loss)) }
        if let failure { throw failure }
    }

    /// Has the whole folder scanned again.
    package func lookEverywhere() { changeQueue.addEverywhere() }

    /// Makes `changes` yield, though nothing has changed.
    package func remind() { changed.yield() }

    private func settleSoon() {
        settling.request()
        tidying.request()
    }

    private func note() async -> StorageError? {
        for await _ in changeQueue.wakeUps {
            if let failure = await noteUntilDone() { return failure }
            // Before the other loops begin their work, which may take long.
            tellWatching()
            settleSoon()
            changed.yield()
        }
        return nil
    }

    /// The favorites can be relied on. Links may still be untidy, and the list old.
    package var knowsFavorites: Bool { health.withLock(\.isKnown) }

    private func tellWhenKnown() {
        let isNews = health.withLock { health in
            let wasKnown = health.isKnown
            health.isKnown = reconciler.knowsFavorites && health.troubles[.note] == nil
            return health.isKnown && !wasKnown
        }
        if isNews { report(.known) }
    }

    private func setTrouble(_ error: StorageError?, in loop: Loop) {
        // An end is no error.
        if Task.isCancelled { return }
        let (before, other) = health.withLock { health in
            defer { health.troubles[loop] = error }
            return (health.troubles[loop], health.troubles.first { $0.key != loop }?.value)
        }
        if let error, error != before { report(.failed(error)) }
        if error == nil, before != nil { report(other.map(Event.failed) ?? .recovered) }
        if loop != .look, reconciler.isDue { looking.request() }
        tellWhenKnown()
    }

    /// Reports how the folder is watched, if that has changed.
    private func tellWatching() {
        guard let watching = watcher.withLock(\.self)?.watching else { return }
        let before = health.withLock { health in
            defer { health.watching = watching }
            return health.watching
        }
        if watching != before { report(.watching(watching)) }
    }

    /// Passes on days that were stored: links to them may need work, and the list has their titles.
    private func noteNewDays() async {
        for await _ in archive.newDays.signals {
            let days = archive.newDays.take()
            if await blocking({ [reconciler] in reconciler.noteNewDays(days) }) { settleSoon() }
        }
    }

    /// Tries again while changes cannot be recorded, as on a full disk. Returns an error that this cannot mend.
    private func noteUntilDone() async -> StorageError? {
        var backoff = settling.backoff
        while !Task.isCancelled {
            do throws(StorageError) {
                try reconciler.note(changeQueue.take())
                setTrouble(nil, in: .note)
                return nil
            } catch {
                if error.endsService { return error }
                setTrouble(error, in: .note)
                try? await sleep(for: backoff.next())
            }
        }
        return nil
    }

    /// `body` returns false to be called again later.
    private func run(
        _ work: Work, _ loop: Loop, _ body: @escaping @Sendable () throws(StorageError) -> Bool
    ) async -> StorageError? {
        for await _ in work.requests.stream {
            var backoff = work.backoff
            while await work.debounce.waitUntilQuiet() {
                do throws(StorageError) {
                    let isDone = try await blocking(body)
                    setTrouble(nil, in: loop)
                    if isDone { break }
                } catch {
                    if error.endsService { return error }
                    setTrouble(error, in: loop)
                    try? await sleep(for: backoff.next())
                }
                work.debounce.restart()
            }
        }
        return nil
    }

    private func lookAgain() throws(StorageError) -> Bool {
        try reconciler.lookAgain()
        settleSoon()
        changed.yield()
        return true
    }

    private func tidy() throws(StorageError) -> Bool {
        defer { if reconciler.isListOld { settling.request() } }
        return try reconciler.tidy()
    }

    /// Gives memory back to the system when all is done: the next change may be days away.
    private func settle() throws(StorageError) -> Bool {
        let isDone = try reconciler.end()
        if reconciler.hasWork { tidying.request() }
        if let loss = reconciler.takeLoss() { report(.lost(loss)) }
        guard isDone else { return false }
        tellWatching()
        // A polled folder is scanned again and again, mostly without news.
        guard reconciler.takeChanged() else { return true }
        archive.catalog.releaseMemory()
        Memory.trim()
        report(.settled)
        return true
    }
}
