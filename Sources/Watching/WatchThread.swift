internal import Catalog
internal import Concurrency
internal import Files
import Glibc
import Synchronization

/// The thread that watches. It arms first and then queues `everywhere`, so that nothing is missed in between.
final class WatchThread: Sendable {
    private static let rearmPause = Duration.milliseconds(20)
    private static let mostAttempts = 3
    /// After so many events, the thread looks for requests.
    private static let mostAtOnce = 4096

    private let root: String
    private let changeQueue: ChangeQueue
    private let pollInterval: Duration
    private let room: WatchRoom
    private let raceHook: RaceHook
    private let wakeUp = EventFD()
    private let isStopped = Atomic(false)
    private let pings = PingQueue()
    private let isArmed = Monitor(false)
    private let state = Mutex<WatchState?>(nil)
    private let unwatchedFolders = Atomic(0)

    init(
        root: String, changeQueue: ChangeQueue, pollInterval: Duration, room: WatchRoom, raceHook: @escaping RaceHook
    ) {
        self.root = root
        self.changeQueue = changeQueue
        self.pollInterval = pollInterval
        self.room = room
        self.raceHook = raceHook
    }

    /// Valid only after `waitUntilArmed`.
    var watching: WatchState { state.withLock { $0! } }

    var unwatched: Int { unwatchedFolders.load(ordering: .relaxed) }

    func waitUntilArmed() { isArmed.waitAndTake { $0 ? () : nil } }

    func stop() {
        isStopped.store(true, ordering: .relaxed)
        wakeUp.wake()
    }

    func answer() async { await pings.ping(by: wakeUp) }

    func run() {
        defer { pings.end() }
        var watches: WatchSet?
        var occasion = Occasion.asked
        repeat {
            let start = ContinuousClock.now
            wakeUp.reset()
            pings.answer()
            raceHook(.arming)
            let watching = arm(&watches)
            unwatchedFolders.store(watches?.unwatched ?? 0, ordering: .relaxed)
            tell(watching, on: occasion)
            let took = ContinuousClock.now - start
            occasion = watches.map(listen) ?? pause(for: pollInterval)
            // Folders often change in a row: this pause arms once for many of them.
            if occasion == .change { pause(for: max(Self.rearmPause, took)) }
        } while !isStopped.load(ordering: .relaxed)
    }

    private func tell(_ watching: WatchState, on occasion: Occasion) {
        let before = state.withLock { state in
            defer { state = watching }
            return state
        }
        if watching != before || occasion != .tick || !watching.isLost { changeQueue.addEverywhere() }
        if before == nil { isArmed.change { $0 = true } }
    }

    /// Queues changes until it is time to arm anew; returns why.
    private func listen(to watches: WatchSet) -> Occasion {
        let exceptional = Int16(POLLPRI | POLLERR)
        var isBehind = false
        var nextLook = ContinuousClock.now + lookInterval
        while true {
            var sources = [
                pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.eventDescriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: watches.mountDescriptor, events: exceptional, revents: 0),
            ]
            if watches.unwatched > 0, .now >= nextLook {
                changeQueue.addEverywhere()
                nextLook = .now + lookInterval
            }
            let wait: Duration? = watches.unwatched > 0 ? nextLook - .now + .milliseconds(1) : nil
            let count = poll(&sources, nfds_t(sources.count), (isBehind ? .zero : wait).map(Self.milliseconds) ?? -1)
            guard count >= 0 else { continue }
            if sources[0].revents != 0 {
                wakeUp.reset()
                // An answer alone is no reason to arm anew.
                if pings.answer(), !isStopped.load(ordering: .relaxed) { continue }
                return .asked
            }
            var hasChanged = false
            if isBehind || sources[1].revents != 0 { (hasChanged, isBehind) = queueChanges(for: watches) }
            if hasChanged || (sources[2].revents != 0 && watches.haveMoved) { return .change }
        }
    }

    /// Queues what has happened. `isBehind`: more events may be in the library's buffer, which `poll` does not see.
    private func queueChanges(for watches: WatchSet) -> (foldersChanged: Bool, isBehind: Bool) {
        var foldersChanged = false
        for _ in 0..<Self.mostAtOnce {
            guard let change = watches.next() else { return (foldersChanged, false) }
            switch change {
            case .none: break
            case .place(let place): changeQueue.add(place)
            case .folders: foldersChanged = true
            }
            raceHook(.told)
        }
        return (foldersChanged, true)
    }

    @discardableResult
    private func pause(for time: Duration) -> Occasion {
        var source = pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&source, 1, Self.milliseconds(time)) > 0 ? .asked : .tick
    }

    private static func milliseconds(_ time: Duration) -> Int32 {
        Int32(clamping: max(0, Int64(time / .milliseconds(1))))
    }

    /// How often albums are looked at that are not watched: a look at very many takes some seconds.
    private var lookInterval: Duration { pollInterval * 60 }
}

extension WatchThread {
    /// Arms anew. Leaves `watches` only where they will tell of changes.
    private func arm(_ watches: inout WatchSet?, attempt: Int = 1) -> WatchState {
        do throws(WatchError) {
            try watch(&watches)
            return .inotify
        } catch {
            if let missing = NoFavoritesReason(root: root) {
                if watches?.seesRoot != true { watches = nil }
                return .lost(why: missing.description)
            }
            watches = nil
            guard error.isPassing, attempt < Self.mostAttempts else {
                return .polling(why: error.description, limit: error.limit)
            }
            pause(for: Self.rearmPause)
            return arm(&watches, attempt: attempt + 1)
        }
    }

    private func watch(_ watches: inout WatchSet?) throws(WatchError) {
        if let kind = FileSystem.networkKind(of: root) { throw .network(kind: kind) }
        // The old one has to end first: there is one `Inotify` at a time.
        watches = nil
        let new = try WatchSet(root: root, room: room, raceHook: raceHook) {
            self.isStopped.load(ordering: .relaxed)
        }
        watches = new
        do throws(WatchError) {
            try new.watchRoot()
        } catch {
            guard error.isAboutOneFolder else { throw error }
        }
        try new.watchFavorites()
    }
}

/// Why everything is armed anew.
private enum Occasion { case asked, change, tick }
