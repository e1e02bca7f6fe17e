import Apod
package import Files
package import Store
import Synchronization

/// Watches the favorites folder and keeps the history true to it.
///
/// One loop on a thread of its own: a `Bell` tells where something may have changed, and a `Keeper` looks there and records
/// what it finds, at once; when nothing has changed for two seconds, it settles the rest. `FavoritesEditor` acts for
/// commands.
package final class FavoritesService: Sendable {
    /// When a step is due, and what it failed with last.
    private struct Entry {
        var due: ContinuousClock.Instant?
        var pause = Backoff(Duration.seconds(1), atMost: .seconds(3600))
        var trouble: Problem?

        var isDue: Bool { due.map { $0 <= .now } ?? false }
    }

    private struct Agenda {
        /// A look at what could not be looked at, or not be recorded.
        var look = Entry()
        var settle = Entry()
        /// The first change since all was settled.
        var began: ContinuousClock.Instant?
        /// Settling has only paused. What it changes rings the bell, too, and must not put it off.
        var isSettling = false
        var whole: ContinuousClock.Instant
        /// What was last reported, and when it was said to be tried again.
        var told: (trouble: Problem?, retry: ContinuousClock.Instant?) = (nil, nil)
        var watching: WatchState?

        /// What fails, and when it is tried again.
        var trouble: (trouble: Problem?, retry: ContinuousClock.Instant?) {
            let failing = [look, settle].first { $0.trouble != nil }
            return (failing?.trouble, failing?.due)
        }

        var next: ContinuousClock.Instant { [look.due, settle.due].compactMap(\.self).reduce(whole, min) }

        /// Puts settling off until nothing changes, but not for long.
        mutating func rest(for delay: Duration) {
            if isSettling { return }
            let first = began ?? .now
            began = first
            settle.due = min(.now + delay, first + .seconds(10))
        }
    }

    /// What other threads ask of the loop.
    private final class Calls: Sendable {
        let isStopped = Atomic(false)
        let isKnown = Atomic(false)
        let pings = PingQueue()
        /// Whether to look everywhere, and whether to settle.
        let asked = Mutex((everywhere: false, settle: false))
    }

    private let archive: Archive
    private let keeper: Mutex<Keeper>
    private let settleDelay: Duration
    private let wholeLook: Duration
    private let report: EventHandler
    private let calls: Calls
    private let wakeUp = EventFD()
    /// Rings when changes may have been recorded.
    package let changes = Doorbell()
    /// Rings when there may be other folders of links (`LinkFolders`), and when those of lists come or go.
    package let asked = Doorbell()

    /// `wholeLook`: the time between two scans of the whole folder.
    package init(
        _ archive: Archive, clock: @escaping @Sendable () -> Int, wholeLook: Duration = .seconds(86_400),
        report: @escaping EventHandler
    ) {
        let calls = Calls()
        let isStopped = { @Sendable in
            // Long work answers for the loop.
            calls.pings.answer()
            return calls.isStopped.load(ordering: .relaxed) || Task.isCancelled
        }
        let keeper = Keeper(archive, clock: clock, unless: isStopped)
        settleDelay = keeper.settleDelay
        self.keeper = Mutex(keeper)
        (self.archive, self.wholeLook, self.report, self.calls) = (archive, wholeLook, report, calls)
        calls.pings.end()
    }

    /// Runs until the task is cancelled. Throws errors that only opening the mirror again can mend.
    package func run() async throws {
        calls.isStopped.store(false, ordering: .relaxed)
        calls.pings.begin()
        let failure = await withTaskGroup(of: Problem?.self) { group in
            group.addTask { [self] in
                while (try? await archive.newKeys.changed()) != nil { wakeUp.wake() }
                return nil
            }
            group.addTask { [self] in await loop() }
            let failure = await group.next() ?? nil
            group.cancelAll()
            return failure
        }
        if let failure { throw failure }
    }

    private func loop() async -> Problem? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { ended in
                startThread { [self] in
                    let failure = listen()
                    calls.pings.end()
                    ended.resume(returning: failure)
                }
            }
        } onCancel: {
            calls.isStopped.store(true, ordering: .relaxed)
            wakeUp.wake()
        }
    }

    /// As messages name it.
    private var folder: String { Text.shown(Tree.favoritesPath(in: archive.tree.root.path)) }

    private var isStopped: Bool { calls.isStopped.load(ordering: .relaxed) }

    /// Returns an error that only opening the mirror again can mend.
    private func listen() -> Problem? {
        keeper.withLock { $0.makeFolder() }
        let bell = Bell(root: archive.tree.root.path, wakeUp: wakeUp, asked: asked.ring) { [calls] in
            calls.pings.answer()
            return calls.isStopped.load(ordering: .relaxed)
        }
        var agenda = Agenda(whole: .now + wholeLook)
        while !isStopped {
            calls.pings.answer()
            let dirty = bell.next(until: agenda.next)
            // Before the look, which takes longer the more links there are.
            if let watching = bell.watching, watching != agenda.watching {
                agenda.watching = watching
                report(.watching(watching, folder: folder))
            }
            do { try round(dirty, bell, &agenda) } catch { return error.problem }
        }
        return nil
    }

    private func round(_ rung: DirtyPaths, _ bell: Bell, _ agenda: inout Agenda) throws {
        // Only this thread uses it: `attempt` calls its closure and returns.
        nonisolated(unsafe) let bell = bell
        let asked = calls.asked.withLock { asked in
            defer { asked = (false, false) }
            return asked
        }
        let isWhole = asked.everywhere || agenda.whole <= .now
        let dirty = isWhole ? .everywhere : rung
        if dirty != .none || agenda.look.isDue {
            if isWhole { agenda.whole = .now + wholeLook }
            let seen: Void? = try attempt(&agenda.look, isLook: true) { keeper in
                if dirty == .none { try keeper.lookAgain() } else { try keeper.look(dirty, more: bell.more) }
            }
            // An album that cannot be read keeps nothing else from being settled.
            if seen != nil || keeper.withLock({ !$0.isBehind }) {
                agenda.rest(for: settleDelay)
                changes.ring()
            }
        }
        let keys = archive.newKeys.take()
        let hasNews = !keys.isEmpty && keeper.withLock { $0.noteNew(keys) }
        if hasNews || asked.settle { agenda.rest(for: settleDelay) }
        try settle(bell.descriptors, &agenda)
        if keeper.withLock({ $0.due != nil }), agenda.look.due == nil {
            agenda.look.due = .now + agenda.look.pause.next()
        }
        let (trouble, retry) = agenda.trouble
        // An end is no error.
        if (trouble, retry) == agenda.told || isStopped { return }
        let isOver = trouble == nil && agenda.told.trouble != nil
        agenda.told = (trouble, retry)
        if let trouble {
            let pause = retry.map { max(0, Int((($0 - .now) / .seconds(1)).rounded(.up))) } ?? 0
            report(.workFailed("favorites", why: trouble, asks: false, pause: pause))
        } else if isOver {
            report(.recovered(folder: folder))
        }
    }

    /// `bell`: what is readable when it rings.
    private func settle(_ bell: [Int32], _ agenda: inout Agenda) throws {
        guard agenda.settle.isDue else { return }
        (agenda.settle.due, agenda.began, agenda.isSettling) = (nil, nil, false)
        // What was seen and could not be recorded comes first, and then this again.
        if keeper.withLock({ $0.isBehind }) { return }
        let settled = try attempt(&agenda.settle) { keeper in
            let left = try keeper.settle { bell.contains(where: isReadable) }
            return (left: left, loss: keeper.takeLoss(), isNews: left == nil && keeper.takeNews())
        }
        guard let settled else { return }
        agenda.settle.due = settled.left.map { .now + $0 }
        agenda.isSettling = settled.left == .zero
        if let loss = settled.loss { report(.linksWent(loss, folder: folder)) }
        // A polled folder is scanned again and again, mostly without news.
        guard settled.isNews else { return }
        // The next change may be days away.
        archive.catalog.releaseMemory()
        Memory.trim()
        report(.favoritesSettled)
    }

    /// Returns nil for a step that failed, and is due again after a pause.
    private func attempt<Value: Sendable>(
        _ entry: inout Entry, isLook: Bool = false, _ work: @Sendable (Keeper) throws -> Value
    ) throws -> Value? {
        let (result, isLeft, isBehind, isKnown) = keeper.withLock { keeper in
            let result = Result { try work(keeper) }
            return (result, isLook && keeper.due != nil, keeper.isBehind, keeper.knowsFavorites && !keeper.isBehind)
        }
        if !calls.isKnown.exchange(isKnown, ordering: .relaxed), isKnown { report(.favoritesKnown) }
        switch result {
        case .success(let value):
            if !isLeft { entry = Entry() } else if entry.isDue { entry.due = nil }
            return value
        case .failure(let error):
            if error.problem.endsService { throw error }
            entry.trouble = error.problem
            // Where something cannot be recorded or written, as on a full disk, that soon passes.
            entry.due = .now + min(entry.pause.next(), isBehind || !isLook ? .seconds(30) : .seconds(3600))
            return nil
        }
    }

    /// The favorites can be relied on. Links may still be untidy, and the list old.
    package var knowsFavorites: Bool { calls.isKnown.load(ordering: .relaxed) }

    /// Returns when the loop has answered.
    package func answer() async { await calls.pings.ping(by: wakeUp) }

    /// Has the whole folder scanned again.
    package func lookEverywhere() { ask { $0.everywhere = true } }

    private func ask(_ change: (inout (everywhere: Bool, settle: Bool)) -> Void) {
        calls.asked.withLock { change(&$0) }
        wakeUp.wake()
    }

    /// Runs `work` as `Keeper.carryOut` does.
    package func carryOut(_ work: @escaping @Sendable () throws -> Set<Place>) async throws {
        defer { ask { $0.settle = true } }
        try await keep { keeper in try keeper.carryOut(work) }
        changes.ring()
    }

    private func keep<Value: Sendable>(
        _ work: @Sendable (Keeper) throws -> Value
    ) async throws -> Value {
        try await blocking { [self] in
            try keeper.withLock { keeper in try work(keeper) }
        }
    }

    /// In place of `run`, for a process that does one job: looks at the whole folder.
    package func lookOnce() async throws {
        try await keep { keeper in
            keeper.makeFolder()
            try keeper.look(.everywhere)
        }
    }

    /// The same: ends and puts in order what there is. Waits a few seconds for links that must stay away and copies that
    /// must rest. What cannot be looked at holds up nothing else.
    package func settleOnce() async throws {
        let keys = archive.newKeys.take()
        let failure = try await keep { keeper in
            // Links to a file that was replaced are led to the new one.
            _ = keeper.noteNew(keys)
            do { try keeper.lookAgain() } catch { return Optional(error) }
            return nil
        }
        for _ in 1...3 {
            guard let left = try await keep({ keeper in try keeper.settle() }) else { break }
            do { try await sleep(for: left) } catch { break }
        }
        if let loss = try await keep({ keeper in keeper.takeLoss() }) { report(.linksWent(loss, folder: folder)) }
        if let failure { throw failure }
    }
}
