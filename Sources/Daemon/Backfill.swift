import Apod
import Archive
import Catalog
import Concurrency
import Control
import Files
import Synchronization
import Syncing
import Upstream

/// Fetches the missing days, newest first, a window of days at a time.
struct Backfill: Sendable {
    let context: ServiceContext
    /// Yields when there may be gaps.
    let occasions: AsyncStream<Void>
    /// Called when all gaps were asked for.
    let filled: @Sendable () -> Void

    /// Attempts at a window before it is left for the next run.
    private static let mostAttempts = 4
    /// Days between two notices of progress.
    private static let stretch = 250

    func run() async throws {
        // After a failure, `Supervisor` runs this again, and gaps may be left.
        try await fill()
        for await _ in occasions { try await fill() }
    }

    private func fill() async throws {
        let days = try await context.gaps()
        guard let newest = days.last else { return }
        let position = Mutex(BackfillProgress(days: days))
        let refresh = context.mirror.refresh()
        let extent = Day.extent(of: days.count, days[0], newest)
        context.tell(Notice(.backfilling, "\(Day.count(days.count)) to fetch, newest first, \(extent)"))
        defer {
            context.activity.change { state in
                state.backfill = nil
                state.troubles[.backfill] = nil
            }
        }
        var (backoff, attempt) = (Backoff(300, atMost: 7_200), 1)
        while let (window, progress) = position.withLock({ $0.begin() }) {
            context.activity.change { $0.backfill = progress }
            while let end = try await context.quiet() { try await context.time.wait(until: end) }
            let start = ContinuousClock.now
            let error = try await ask(.gaps(window), with: refresh) {
                position.withLock { $0.endDay(after: .now - start) }
            }
            switch error {
            // Urgent work has interrupted it: the same window again.
            case let error? where error.code == .stopped: continue
            case let error? where attempt < Self.mostAttempts:
                try await waitToRetry(error, backoff.next(), isFirst: attempt == 1)
                attempt += 1
            case let error:
                let before = position.withLock(\.passed)
                position.withLock { $0.pass(window, in: .now - start) }
                // The new files may have used up `max-total`.
                let first = try await context.wantedUntilNewest()?.lowerBound
                position.withLock { $0.forget(before: first) }
                if error == nil { backoff.reset() }
                attempt = 1
                tellProgress(position.withLock(\.self), since: before)
            }
        }
        let oldest = position.withLock(\.oldest)
        context.tell(Notice(.backfilled, "all days were asked for, back to \(oldest ?? newest)"))
        filled()
        await context.releaseMemory()
    }

    /// Returns why not all of the request could be done. `endDay`: what the progress is after one more day.
    private func ask(
        _ request: RefreshRequest, with refresh: Refresh,
        _ endDay: @escaping @Sendable () -> Activity.Backfill? = { nil }
    ) async throws -> Problem? {
        let error = try await context.priorityGate.inBackground {
            try await context.refresh(request, with: refresh) { event in
                guard event.endsDay else { return }
                let progress = endDay()
                context.activity.change { $0.backfill = progress }
            }
        }
        try Task.checkCancellation()
        return error
    }

    private func waitToRetry(_ error: Problem, _ pause: Int, isFirst: Bool) async throws {
        let retry = max(context.time.now + pause, try await context.quiet() ?? 0)
        let diskFull = DiskFullWait(error, free: await context.free)
        if isFirst { context.tell(of: error, Notice(.refreshFailed, "\(error.words); the backfill goes on later")) }
        context.activity.change { $0.troubles[.backfill] = .init(error, retry: retry) }
        guard let diskFull else {
            return try await context.time.wait(until: retry)
        }
        try await context.waitForRoom(since: diskFull, until: retry)
    }

    private func tellProgress(_ position: BackfillProgress, since before: Int) {
        context.activity.change { $0.troubles[.backfill] = nil }
        guard let progress = position.progress, position.passed / Self.stretch > before / Self.stretch else { return }
        context.tell(Notice(.backfilling, progress.words))
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
    mutating func begin() -> (window: ClosedRange<Day>, Activity.Backfill?)? {
        ended = 0
        return window.map { ($0, progress) }
    }

    /// A day of the window has ended, `time` after its beginning.
    mutating func endDay(after time: Duration) -> Activity.Backfill? {
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

    var progress: Activity.Backfill? {
        guard let last = days.last else { return nil }
        return .init(missing: days.count - ended, at: last, secondsLeft: secondsLeft)
    }
}

extension RefreshEvent {
    /// Whether it is the last about its day.
    fileprivate var endsDay: Bool {
        switch self {
        case .mirrored, .unchanged, .kept, .absent, .notYet, .failed: true
        case .planned, .rediscovered, .replaced, .unanswered, .noted, .listFailed: false
        }
    }
}
