internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Control
internal import Files
internal import Syncing
internal import Upstream

/// Fetches what is missing of the days that are to be mirrored, newest first, window by window.
struct Backfill: Sendable {
    let context: ServiceContext
    /// When it may be worth looking for gaps.
    let occasions: AsyncStream<Void>
    /// Called when there is more than before.
    let filled: @Sendable () -> Void

    /// So often a window is asked for before it is left for another time.
    private static let mostAttempts = 4
    /// In days: how often the journal is told how far it is.
    private static let stretch = 250
    /// So many days are named that have not come.
    private static let mostNamed = 3

    func run() async throws {
        // Also what was left when this failed the last time.
        try await fill()
        for await _ in occasions { try await fill() }
    }

    private func fill() async throws {
        let days = try await context.gaps()
        guard let newest = days.last else { return }
        var position = BackfillProgress(days: days)
        let refresh = context.mirror.refresh()
        let extent = Day.extent(of: days.count, days[0], newest)
        context.tell(Notice(.backfilling, "\(Day.count(days.count)) to fetch, newest first, \(extent)"))
        defer {
            context.activity.change { state in
                state.backfill = nil
                state.troubles[.backfill] = nil
            }
        }
        var (backoff, attempt, left) = (Backoff(300, atMost: 7_200), 1, [Day]())
        while let window = position.window {
            context.activity.change { $0.backfill = position.progress }
            while let end = try await context.quiet() { try await context.time.wait(until: end) }
            let start = ContinuousClock.now
            let result = try await context.priorityGate.inBackground { await self.attempt(window, with: refresh) }
            try Task.checkCancellation()
            switch try result.get() {
            // It has given way, and goes on where it was.
            case .cancelled?: continue
            case let error? where attempt < Self.mostAttempts:
                try await waitToRetry(error, backoff.next(), isFirst: attempt == 1)
                attempt += 1
            case let error:
                let passed = position.pass(window, in: .now - start)
                if error != nil { left += passed }
                // What came may leave no room for what is older.
                position.forget(before: try await context.wantedSoFar()?.lowerBound)
                if error == nil { backoff.reset() }
                attempt = 1
                tellProgress(position)
            }
        }
        try await tellLeft(left)
        context.tell(Notice(.backfilled, "all days were asked for, back to \(position.oldest ?? newest)"))
        filled()
        await context.releaseMemory()
    }

    private func attempt(_ window: ClosedRange<Day>, with refresh: Refresh) async -> Result<RefreshError?, StorageError>
    {
        do throws(StorageError) {
            return .success(try await context.follow(.gaps(window), with: refresh))
        } catch {
            return .failure(error)
        }
    }

    private func waitToRetry(_ error: RefreshError, _ pause: Int, isFirst: Bool) async throws {
        let retry = max(context.time.now + pause, try await context.quiet() ?? 0)
        let diskFull = DiskFullWait(error, free: context.free)
        if isFirst { context.tell(of: error, Notice(.refreshFailed, "\(error); the backfill goes on later")) }
        context.activity.change { $0.troubles[.backfill] = .init(error.failure, retry: retry) }
        guard let diskFull else {
            return try await context.time.wait(until: retry)
        }
        try await context.waitForRoom(since: diskFull, until: retry)
    }

    private func tellProgress(_ position: BackfillProgress) {
        context.activity.change { $0.troubles[.backfill] = nil }
        guard let progress = position.progress, position.passed % Self.stretch < APODBasic.pageSize else { return }
        context.tell(Notice(.backfilling, progress.words))
    }

    /// Of windows that were given up, some days may have come.
    private func tellLeft(_ days: [Day]) async throws(StorageError) {
        guard let range = Day.range(of: Set(days)) else { return }
        let now = context.time.now
        let left = try await context.reading { catalog throws(StorageError) in
            try catalog.gaps(in: range, at: now).intersection(days).sorted(by: >)
        }
        if left.isEmpty { return }
        let names = Day.names(left, atMost: Self.mostNamed)
        let words = "\(left.count == 1 ? "1 day has" : "\(left.count) days have") not come: \(names)"
        context.tell(Notice(.refreshFailed, "\(words); the backfill asks again later"))
    }
}

extension ServiceContext {
    /// Of the days that are no newer than the newest that is here: what is newer is for the daily refresh.
    fileprivate func wantedSoFar() async throws(StorageError) -> ClosedRange<Day>? {
        guard let newest = try await reading({ catalog throws(StorageError) in try catalog.newest() }) else {
            return nil
        }
        return try await blocking { [mirror] () throws(StorageError) in try mirror.wanted(until: newest) }
    }

    /// In order.
    fileprivate func gaps() async throws(StorageError) -> [Day] {
        guard let wanted = try await wantedSoFar() else { return [] }
        let now = time.now
        return try await reading { catalog throws(StorageError) in try catalog.gaps(in: wanted, at: now).sorted() }
    }

    /// While a backfill waits to ask again, a command may have fetched all that it would ask for.
    func endBackfillIfDone() async {
        guard activity.now.backfill != nil, (try? await gaps())?.isEmpty == true else { return }
        activity.change { state in
            state.backfill = nil
            state.troubles[.backfill] = nil
        }
    }
}

/// How far a backfill is.
struct BackfillProgress: Sendable {
    /// In order; those that are still to be asked for.
    private var days: [Day]
    private(set) var passed = 0
    /// That was asked for.
    private(set) var oldest: Day?
    /// Without the pauses.
    private var time = Duration.zero
    private var timeLeft = TimeLeft()
    /// nil as long as it would be a guess.
    private var secondsLeft: Int?
    /// In days: after so many, it is none.
    private static let sample = 2 * APODBasic.pageSize

    init(days: [Day]) { self.days = days }

    /// As much as one question covers.
    var window: ClosedRange<Day>? {
        guard let last = days.last else { return nil }
        let earliest = last.advanced(by: 1 - APODBasic.pageSize)
        return (days.first { $0 >= earliest } ?? last)...last
    }

    /// Returns the days of the window.
    @discardableResult
    mutating func pass(_ window: ClosedRange<Day>, in time: Duration) -> [Day] {
        self.time += time
        oldest = window.lowerBound
        let rest = days.firstIndex { $0 >= window.lowerBound } ?? days.endIndex
        let ofWindow = Array(days[rest...])
        passed += ofWindow.count
        days.removeSubrange(rest...)
        if passed >= Self.sample {
            secondsLeft = timeLeft.seconds(done: passed, left: days.count, after: self.time / .seconds(1))
        }
        return ofWindow
    }

    /// nil: all of them.
    mutating func forget(before first: Day?) { days.removeAll { first == nil || $0 < first! } }

    var progress: Activity.Backfill? {
        guard let last = days.last else { return nil }
        return .init(missing: days.count, at: last, secondsLeft: secondsLeft)
    }
}
