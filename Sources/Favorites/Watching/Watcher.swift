internal import Archive
internal import Catalog
internal import Concurrency
internal import Files
import Glibc
import Synchronization

/// Watches the favorites folder, also while it comes, goes or moves, and queues where something may have changed.
///
/// A thread of its own arms a `WatchSet`: the folder and its albums, watched by `Inotify`. Then it queues
/// `everywhere`, so that nothing is missed in between. It puts each `FolderEvent` into the `ChangeQueue`, and polls where
/// inotify does not work (`WatchState`).
package final class Watcher: Sendable {
    private static let rearmPause = Duration.milliseconds(20)
    private static let mostAttempts = 3
    /// After so many events, the thread looks for requests.
    private static let mostAtOnce = 4096

    private let root: String
    private let changeQueue: ChangeQueue
    private let pollInterval: Duration
    private let raceHook: RaceHook
    private let wakeUp = EventFD()
    private let isStopped = Atomic(false)
    private let pings = PingQueue()
    private let isArmed = Monitor(false)
    private let state = Mutex<WatchState?>(nil)
    private let thread = Mutex<pthread_t?>(nil)

    /// Returns when the folder is watched, or cannot be; `everywhere` is in the queue then. The thread keeps the watcher
    /// until `stop`. A second watcher in a process polls.
    package init(
        root: String, changeQueue: ChangeQueue, pollInterval: Duration = .seconds(5),
        raceHook: @escaping RaceHook = { _ in }
    ) {
        self.root = root
        self.changeQueue = changeQueue
        self.pollInterval = pollInterval
        self.raceHook = raceHook
        thread.withLock { $0 = startThreadToJoin { self.run() } }
        isArmed.waitAndTake { $0 ? () : nil }
    }

    /// How changes become known. When this changes, `everywhere` is queued.
    package var watching: WatchState { state.withLock { $0! } }

    /// Returns when the thread that watches has answered.
    package func answer() async { await pings.ping(by: wakeUp) }

    /// Stops watching; returns when the thread has ended.
    package func stop() {
        isStopped.store(true, ordering: .relaxed)
        wakeUp.wake()
        thread.withLock { thread in
            if let running = thread { pthread_join(running, nil) }
            thread = nil
        }
    }

    private func run() {
        defer { pings.end() }
        var watches: WatchSet?
        var hasChanged = false
        repeat {
            let start = ContinuousClock.now
            answerPings()
            raceHook(.arming)
            report(arm(&watches), hasChanged: hasChanged)
            let took = ContinuousClock.now - start
            hasChanged = watches.map(listen) ?? false
            // Folders often change in a row: this pause arms once for many of them.
            if hasChanged { pause(for: max(Self.rearmPause, took)) } else if watches == nil { pause(for: pollInterval) }
        } while !isStopped.load(ordering: .relaxed)
    }

    private func report(_ watching: WatchState, hasChanged: Bool) {
        let before = state.withLock { state in
            defer { state = watching }
            return state
        }
        if watching != before || hasChanged || !watching.isLost { changeQueue.addEverywhere() }
        if before == nil { isArmed.change { $0 = true } }
    }

    /// Queues changes until everything has to be armed anew. Returns false when it is to stop.
    private func listen(to watches: WatchSet) -> Bool {
        let exceptional = Int16(POLLPRI | POLLERR)
        var isBehind = false
        while !isStopped.load(ordering: .relaxed) {
            var sources = [
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.eventDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.mountDescriptor, events: exceptional, revents: 0),
            ]
            waitUntilReady(&sources, milliseconds: isBehind ? 0 : -1)
            if sources[0].revents != 0 { answerPings() }
            var hasChanged = false
            if isBehind || sources[1].revents != 0 { (hasChanged, isBehind) = queueChanges(for: watches) }
            if hasChanged || (sources[2].revents != 0 && watches.haveMoved) { return true }
        }
        return false
    }

    /// Only pings and `stop` wake the thread: an answer alone is no reason to arm anew.
    private func answerPings() {
        wakeUp.reset()
        pings.answer()
    }

    /// Queues what has happened. `isBehind`: more events may be in the library's buffer, which `poll` does not see.
    private func queueChanges(for watches: WatchSet) -> (foldersChanged: Bool, isBehind: Bool) {
        var foldersChanged = false
        for _ in 0..<Self.mostAtOnce {
            var next = watches.next()
            if next == nil {
                guard isReadable(watches.eventDescriptor) else { return (foldersChanged, false) }
                next = watches.next()
            }
            guard let change = next else {
                // Reading fails: all is looked at from time to time.
                pause(for: pollInterval)
                return (true, false)
            }
            switch change {
            case .none: break
            case .place(let place): changeQueue.add(place)
            case .folders: foldersChanged = true
            }
            raceHook(.told)
        }
        return (foldersChanged, true)
    }

    private func pause(for time: Duration) {
        let end = ContinuousClock.now + time
        var source = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        while !isStopped.load(ordering: .relaxed) {
            let left = end - ContinuousClock.now
            if left <= .zero { return }
            waitUntilReady(&source, milliseconds: Int32(clamping: Int64(left / .milliseconds(1) + 1)))
            if source[0].revents != 0 { answerPings() }
        }
    }

    /// Arms anew. Leaves `watches` only where they will tell of changes.
    private func arm(_ watches: inout WatchSet?, attempt: Int = 1) -> WatchState {
        do throws(WatchError) {
            try watch(&watches)
            return .inotify
        } catch {
            if let lack = FavoritesLack(in: root) {
                if watches?.seesRoot != true { watches = nil }
                return .lost(lack)
            }
            watches = nil
            guard error.isPassing, attempt < Self.mostAttempts else {
                return .polling(why: error.failure(in: root))
            }
            pause(for: Self.rearmPause)
            return arm(&watches, attempt: attempt + 1)
        }
    }

    private func watch(_ watches: inout WatchSet?) throws(WatchError) {
        if let kind = FileSystem.networkKind(of: root) { throw .network(kind: kind) }
        // The old one has to end first: there is one `Inotify` at a time.
        watches = nil
        let new = try WatchSet(root: root, raceHook: raceHook) { self.isStopped.load(ordering: .relaxed) }
        watches = new
        do throws(WatchError) {
            try new.watchRoot()
        } catch {
            guard error.isAboutOneFolder else { throw error }
        }
        try new.watchFavorites()
    }
}
