import Apod
import Files
import Store
import Synchronization
import Syncing
import Upstream

/// Fetches the missing days, newest first, a window of days at a time.
final class Backfill: Sendable {
    private struct State {
        /// nil while nothing is being filled.
        var position: BackfillProgress?
        /// Its connections serve all windows.
        var refresh: Refresh?
        var attempts = 0
    }

    private let context: ServiceContext
    /// Called when all gaps were asked for.
    private let filled: @Sendable () -> Void
    private let state = Mutex(State())

    /// Attempts at a window before it is left for the next time.
    private static let mostAttempts = 4
    /// Days between two reports of progress.
    private static let stretch = 250

    init(_ context: ServiceContext, _ filled: @escaping @Sendable () -> Void) {
        (self.context, self.filled) = (context, filled)
    }

    /// Fills a window, or goes on where the last round failed. Returns until when NASA wants no requests; nil when all
    /// gaps were asked for.
    func round() async throws -> Int? {
        if state.withLock({ $0.position == nil }), try await !begin() { return nil }
        let refresh = state.withLock(\.refresh)
        while let (window, progress) = change({ $0.begin() }) {
            context.activity.change { $0.backfill = progress }
            if let end = try await context.quiet() { return end }
            let start = ContinuousClock.now
            let failure = try await context.priorityGate.inBackground { [self] in
                try await context.refresh(.gaps(window), with: refresh) { [self] event in
                    guard event.endsDay else { return }
                    let progress = change { $0.endDay(after: .now - start) }
                    context.activity.change { $0.backfill = progress }
                }
            }
            try Task.checkCancellation()
            if let failure, failure.code == .stopped || isWorthAnotherAttempt() { throw failure }
            try await pass(window, in: .now - start)
            if failure == nil { return context.time.now }
        }
        let oldest = change { $0.oldest }
        state.withLock { $0 = State() }
        context.activity.change { $0.backfill = nil }
        context.tell(.backfilled(oldest: oldest))
        filled()
        await context.releaseMemory()
        return nil
    }

    /// Returns false if there are no gaps.
    private func begin() async throws -> Bool {
        let days = try await context.gaps()
        guard let newest = days.last else { return false }
        let extent = Day.extent(of: days.count, days[0], newest)
        context.tell(.backfilling("\(Day.count(days.count)) to fetch, newest first, \(extent)"))
        state.withLock { $0 = State(position: BackfillProgress(days: days), refresh: context.mirror.refresh()) }
        return true
    }

    private func change<Value: Sendable>(_ change: (inout BackfillProgress) -> Value?) -> Value? {
        state.withLock { state in state.position.flatMap { _ in change(&state.position!) } }
    }

    private func isWorthAnotherAttempt() -> Bool {
        state.withLock { state in
            state.attempts += 1
            return state.attempts < Self.mostAttempts
        }
    }

    private func pass(_ window: ClosedRange<Day>, in time: Duration) async throws {
        // The new files may have used up `max-total`.
        let first = try await context.wantedUntilNewest()?.lowerBound
        let (before, position) = state.withLock { state in
            let before = state.position?.passed ?? 0
            state.position?.pass(window, in: time)
            state.position?.forget(before: first)
            state.attempts = 0
            return (before, state.position)
        }
        context.activity.change { $0.troubles[.backfill] = nil }
        guard let position, let progress = position.progress, position.passed / Self.stretch > before / Self.stretch
        else { return }
        context.tell(.backfilling(progress.words))
    }
}

extension ServiceContext {
    /// The wanted days up to the newest here. Newer ones are left to `DailyRefresh`.
    fileprivate func wantedUntilNewest() async throws -> ClosedRange<Day>? {
        guard let newest = try await reading({ catalog in try catalog.newest() }) else {
            return nil
        }
        return try await blocking { [mirror] in try mirror.range.wanted(until: newest) }
    }

    /// The days to fetch, oldest first.
    fileprivate func gaps() async throws -> [Day] {
        guard let wanted = try await wantedUntilNewest() else { return [] }
        let now = time.now
        return try await reading { catalog in try catalog.gaps(in: wanted, at: now).sorted() }
    }
}

/// The progress of a backfill.
struct BackfillProgress: Sendable {
    /// The days still to ask for, oldest first.
    private var days: [Day]
    private(set) var passed = 0
    /// How many days of the window have ended.
    private var ended = 0
    /// The oldest day asked for.
    private(set) var oldest: Day?
    /// Time spent, without the pauses.
    private var time = Duration.zero
    private var timeLeft = TimeLeft()
    private var secondsLeft: Int?

    init(days: [Day]) { self.days = days }

    /// The newest days, as many as one request covers.
    var window: ClosedRange<Day>? {
        guard let last = days.last else { return nil }
        let earliest = last.advanced(by: 1 - APODBasic.pageSize)
        return (days.first { $0 >= earliest } ?? last)...last
    }

    /// The next window, or the same again, and the progress before it; nil when all days have passed.
    mutating func begin() -> (window: ClosedRange<Day>, Activity.Filling?)? {
        ended = 0
        return window.map { ($0, progress) }
    }

    /// A day of the window has ended, `time` after its beginning.
    mutating func endDay(after time: Duration) -> Activity.Filling? {
        ended = min(ended + 1, days.count)
        estimate(after: self.time + time)
        return progress
    }

    private mutating func estimate(after time: Duration) {
        secondsLeft = timeLeft.seconds(done: passed + ended, left: days.count - ended, after: time / .seconds(1))
    }

    mutating func pass(_ window: ClosedRange<Day>, in time: Duration) {
        self.time += time
        ended = 0
        oldest = window.lowerBound
        let rest = days.firstIndex { $0 >= window.lowerBound } ?? days.endIndex
        passed += days.endIndex - rest
        days.removeSubrange(rest...)
        estimate(after: self.time)
    }

    /// Removes the days before `first`; nil: all days.
    mutating func forget(before first: Day?) { days.removeAll { first == nil || $0 < first! } }

    var progress: Activity.Filling? {
        guard let last = days.last else { return nil }
        return .init(missing: days.count - ended, at: last, secondsLeft: secondsLeft)
    }
}

extension Event {
    /// Whether it is the last about its day.
    fileprivate var endsDay: Bool {
        switch self {
        case .mirrored, .unchanged, .kept, .absent, .notYet, .failed: true
        default: false
        }
    }
}
