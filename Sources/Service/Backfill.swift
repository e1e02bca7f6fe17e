internal import Apod
internal import Archive
internal import Files
internal import Upstream

/// Fetches what is missing of the days that are to be mirrored, newest first, window by window.
struct Backfill: Sendable {
    let station: Station
    /// Rung when it may be worth looking for gaps.
    let occasions: AsyncStream<Void>
    /// Called when there is more than before.
    let filled: @Sendable () -> Void
    var shortest = 300

    private static let longest = 7_200
    /// So often a window is asked for before it is left for another time.
    private static let mostAttempts = 4
    /// In days: how often the journal is told how far it is.
    private static let stretch = 250

    func run() async throws {
        // Also what was left when this failed the last time.
        try await fill()
        for await _ in occasions { try await fill() }
    }

    private func fill() async throws {
        let days = try await missing()
        guard let newest = days.last else { return }
        var course = BackfillCourse(days: days)
        let refresh = station.session.refresh()
        let count = days.count == 1 ? "1 day" : "\(days.count) days"
        station.tell(Notice(.backfilling, "\(count) to fetch, from \(newest) back to \(days[0])"))
        defer {
            station.activity.change { state in
                state.backfill = nil
                state.troubles[.backfill] = nil
            }
        }
        var (pause, attempt) = (shortest, 1)
        while let window = course.window {
            station.activity.change { $0.backfill = course.progress }
            while let end = try await station.quiet() { try await station.time.wait(until: end) }
            let start = ContinuousClock.now
            let result = try await station.precedence.last { await self.attempt(window, with: refresh) }
            try Task.checkCancellation()
            switch try result.get() {
            // It has given way, and goes on where it was.
            case .cancelled?: continue
            case let error? where attempt < Self.mostAttempts:
                try await rest(error, pause)
                (pause, attempt) = (min(pause * 2, Self.longest), attempt + 1)
            case let error:
                course.pass(window, in: .now - start)
                // What came may leave no room for what is older.
                course.forget(before: try await wanted()?.lowerBound)
                if error == nil { pause = shortest }
                attempt = 1
                tellProgress(course)
            }
        }
        station.tell(Notice(.backfilled, "all days were asked for, back to \(course.oldest ?? newest)"))
        filled()
        await station.rest()
    }

    private func attempt(_ window: ClosedRange<Day>, with refresh: Refresh) async -> Result<RefreshError?, ArchiveError>
    {
        do throws(ArchiveError) {
            return .success(try await station.follow(.gaps(window), with: refresh))
        } catch {
            return .failure(error)
        }
    }

    /// Of those that are no newer than the newest that is here: what is newer is for the daily refresh.
    private func wanted() async throws(ArchiveError) -> ClosedRange<Day>? {
        let session = station.session
        guard let newest = try await station.reading({ catalog throws(CatalogError) in try catalog.newest() }) else {
            return nil
        }
        return try await blocking { () throws(ArchiveError) in try session.wanted(until: newest) }
    }

    private func rest(_ error: RefreshError, _ pause: Int) async throws {
        let retry = max(station.time.now + pause, try await station.quiet() ?? 0)
        let fullness = Fullness(error, free: station.free)
        if station.activity.now.troubles[.backfill] == nil {
            station.tell(Notice(.refreshFailed, "\(error); the backfill goes on later"))
        }
        station.activity.change { $0.troubles[.backfill] = .init(why: error.description, retry: retry) }
        guard let fullness else {
            return try await station.time.wait(until: retry)
        }
        try await station.waitForRoom(since: fullness, until: retry)
    }

    private func tellProgress(_ course: BackfillCourse) {
        station.activity.change { $0.troubles[.backfill] = nil }
        guard let progress = course.progress, course.passed % Self.stretch < APODBasic.pageSize else { return }
        station.tell(Notice(.backfilling, progress.words))
    }

    /// In order.
    private func missing() async throws(ArchiveError) -> [Day] {
        guard let wanted = try await wanted() else { return [] }
        let now = station.time.now
        let settled = try await station.reading { catalog throws(CatalogError) in
            try catalog.settled(in: wanted, at: now)
        }
        return wanted.filter { !settled.contains($0) }
    }
}

/// How far a backfill is.
struct BackfillCourse: Sendable {
    /// In order; those that are still to be asked for.
    private var days: [Day]
    private(set) var passed = 0
    /// That was asked for.
    private(set) var oldest: Day?
    /// Without the pauses.
    private var time = Duration.zero

    init(days: [Day]) { self.days = days }

    /// As much as one question covers.
    var window: ClosedRange<Day>? {
        guard let last = days.last else { return nil }
        let earliest = last.advanced(by: 1 - APODBasic.pageSize)
        return (days.first { $0 >= earliest } ?? last)...last
    }

    mutating func pass(_ window: ClosedRange<Day>, in time: Duration) {
        self.time += time
        oldest = window.lowerBound
        let rest = days.firstIndex { $0 >= window.lowerBound } ?? days.endIndex
        passed += days.count - rest
        days.removeSubrange(rest...)
    }

    /// nil: all of them.
    mutating func forget(before first: Day?) { days.removeAll { first == nil || $0 < first! } }

    var progress: Activity.Backfill? {
        guard let last = days.last else { return nil }
        let left = passed > 0 ? Int(time / .seconds(1) / Double(passed) * Double(days.count)) : nil
        return .init(missing: days.count, at: last, secondsLeft: left)
    }
}
