import Apod
import Files
import Glibc
import Store

/// Tells where something may have changed in the favorites folder, also while that comes, goes or moves. One thread uses
/// it.
///
/// It arms a `WatchSet`, and then says `everywhere`, so that nothing is missed in between. Where inotify does not work, it
/// says that from time to time (`WatchState`). A second bell in a process does so.
final class Bell {
    private static let rearmPause = Duration.milliseconds(20)
    private static let mostAttempts = 3
    private static let mostAtOnce = 4096

    private let root: String
    private let wakeUp: EventFD
    private let pollInterval: Duration
    private let isStopped: () -> Bool
    /// Called when folders of links may have come, or those of lists have gone.
    private let ask: () -> Void
    private var watches: WatchSet?
    /// How changes become known; nil before the first `next`. When this changes, that says `everywhere`.
    private(set) var watching: WatchState?
    /// When everything is to be armed anew.
    private var armAt: ContinuousClock.Instant? = .now
    private var armingTook = Duration.zero
    private var hasChanged = false
    /// More events may be in the library's buffer, which `poll` does not see.
    private var isBehind = false

    init(
        root: String, wakeUp: EventFD, pollInterval: Duration = .seconds(5), asked ask: @escaping () -> Void = {},
        unless isStopped: @escaping () -> Bool
    ) {
        (self.root, self.wakeUp, self.pollInterval, self.isStopped) = (root, wakeUp, pollInterval, isStopped)
        self.ask = ask
    }

    /// Readable when `next` would return at once.
    var descriptors: [Int32] { [wakeUp.descriptor] + (watches.map { [$0.eventDescriptor] } ?? []) }

    /// Waits until something may have changed, the moment has come, or somebody wakes the thread. Returns where.
    func next(until moment: ContinuousClock.Instant?) -> DirtyPaths {
        if let armAt, armAt <= .now { return arm() }
        var sources = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
        if let watches {
            sources.append(pollfd(fd: watches.eventDescriptor, events: Int16(POLLIN), revents: 0))
            sources.append(pollfd(fd: watches.mountDescriptor, events: Int16(POLLPRI | POLLERR), revents: 0))
        }
        let left = [moment, armAt].compactMap(\.self).min().map { max(.zero, $0 - .now) }
        let milliseconds = left.map { Int32(clamping: Int64($0 / .milliseconds(1)) + 1) } ?? -1
        waitUntilReady(&sources, milliseconds: isBehind || left == .zero ? 0 : milliseconds)
        if sources[0].revents != 0 { wakeUp.reset() }
        guard let watches else { return .none }
        let dirty = isBehind || sources[1].revents != 0 ? more() : []
        if sources[2].revents != 0, watches.haveMoved { armSoon() }
        return .places(dirty)
    }

    /// Folders often change in a row: this pause arms once for many of them.
    private func armSoon() {
        hasChanged = true
        armAt = armAt ?? .now + max(Self.rearmPause, armingTook)
    }

    /// Where something has changed since the last call of this or of `next`. Waits for nothing.
    func more() -> Set<Place> {
        var dirty: Set<Place> = []
        isBehind = false
        guard let watches else { return dirty }
        for _ in 0..<Self.mostAtOnce {
            var event = watches.next()
            if event == nil {
                guard isReadable(watches.eventDescriptor) else { return dirty }
                event = watches.next()
            }
            switch event {
            case nil:
                // Reading fails: all is looked at from time to time.
                self.watches = nil
                (hasChanged, armAt) = (true, .now + pollInterval)
                return dirty
            case .nothing?: break
            case .place(let place)?: dirty.insert(place)
            case .folders?: armSoon()
            case .asked?: ask()
            }
        }
        isBehind = true
        return dirty
    }

    /// Arms everything anew.
    private func arm() -> DirtyPaths {
        let (start, before, hadChanged) = (ContinuousClock.now, watching, hasChanged)
        (armAt, hasChanged, isBehind) = (nil, false, false)
        let now = arm(attempt: 1)
        watching = now
        ask()
        armingTook = .now - start
        // That a disk can be read again is no event. EACCES and EXDEV end with one.
        var isAway = false
        if case .lost(let why) = now { isAway = why.isOfSystem && ![EACCES, EPERM, EXDEV].contains(why.errorNumber) }
        if watches == nil || isAway { armAt = .now + pollInterval }
        return now != before || hadChanged || now.way != .lost ? .everywhere : .none
    }

    /// Leaves `watches` only where they will tell of changes.
    private func arm(attempt: Int) -> WatchState {
        do {
            try watch()
            return .inotify
        } catch {
            if let lack = Tree.favoritesLack(in: root) {
                if watches?.seesRoot != true { watches = nil }
                return .lost(lack)
            }
            watches = nil
            guard error.problem.isMomentary, attempt < Self.mostAttempts else {
                return .polling(why: error.problem)
            }
            var none: [pollfd] = []
            waitUntilReady(&none, milliseconds: Int32(Self.rearmPause / .milliseconds(1)))
            return arm(attempt: attempt + 1)
        }
    }

    private func watch() throws {
        if let kind = FileSystem.networkKind(of: root) { throw Problem(.remote, kind, path: root) }
        // The old one has to end first: there is one `Inotify` at a time.
        watches = nil
        let new = try WatchSet(root: root, unless: isStopped)
        watches = new
        do { try new.watchRoot() } catch {
            guard error.problem.isAboutOneFolder else { throw error }
        }
        new.watchOthers()
        try new.watchFavorites()
    }
}
