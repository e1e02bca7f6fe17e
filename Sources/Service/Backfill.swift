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
    /// In days: how often the journal is told how far it is.
    private static let stretch = 250

    func run() async throws {
        for await _ in occasions { try await fill() }
    }

    private func fill() async throws {
        let days = try missing()
        guard let newest = days.last else { return }
        var course = BackfillCourse(days: days)
        let refresh = station.session.refresh()
        station.tell(Notice(.backfilling, "\(days.count) days to fetch, from \(newest) back to \(days[0])"))
        defer { station.activity.change { $0.backfill = nil } }
        var pause = shortest
        while try narrow(&course), let window = course.window {
            station.activity.change { $0.backfill = course.progress }
            let error = try await station.precedence.last { await station.follow(.gaps(window), with: refresh) }
            try Task.checkCancellation()
            switch error {
            case nil:
                course.pass(window)
                station.activity.change { $0.troubles[.backfill] = nil }
                pause = shortest
                tellProgress(course)
            // It has given way, and goes on where it was.
            case .cancelled: continue
            case let error?:
                try await rest(error, error.isFull ? RefreshError.pauseWhileFull : pause)
                pause = min(pause * 2, Self.longest)
            }
        }
        station.tell(Notice(.backfilled, "all days were asked for, back to \(course.oldest ?? newest)"))
        filled()
        await station.rest()
    }

    /// What came may leave no room for what is older. Always true.
    private func narrow(_ course: inout BackfillCourse) throws(ArchiveError) -> Bool {
        course.forget(before: try wanted()?.lowerBound)
        return true
    }

    /// Of those that are no newer than the newest that is here: what is newer is for the daily refresh.
    private func wanted() throws(ArchiveError) -> ClosedRange<Day>? {
        guard let newest = try station.reading({ catalog throws(CatalogError) in try catalog.newest() }) else {
            return nil
        }
        return try station.session.wanted(until: newest)
    }

    private func rest(_ error: RefreshError, _ pause: Int) async throws(CancellationError) {
        let retry = station.time.now + pause
        let trouble = Activity.Trouble(why: error.description, retry: retry)
        if station.activity.now.troubles[.backfill]?.why != trouble.why {
            station.tell(Notice(.refreshFailed, "\(error); the backfill goes on later"))
        }
        station.activity.change { $0.troubles[.backfill] = trouble }
        try await station.time.wait(until: retry)
    }

    private func tellProgress(_ course: BackfillCourse) {
        guard let progress = course.progress, course.passed % Self.stretch < APODBasic.pageSize else { return }
        station.tell(Notice(.backfilling, progress.words))
    }

    /// In order.
    private func missing() throws(ArchiveError) -> [Day] {
        guard let wanted = try wanted() else { return [] }
        let settled = try station.reading { catalog throws(CatalogError) in
            try catalog.settled(in: wanted, at: station.time.now)
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
    private let start = ContinuousClock.now

    init(days: [Day]) { self.days = days }

    /// As much as one question covers.
    var window: ClosedRange<Day>? {
        guard let last = days.last else { return nil }
        let earliest = last.advanced(by: 1 - APODBasic.pageSize)
        return days[days.partitioningIndex { $0 >= earliest }]...last
    }

    mutating func pass(_ window: ClosedRange<Day>) {
        oldest = window.lowerBound
        let rest = days.partitioningIndex { $0 >= window.lowerBound }
        passed += days.count - rest
        days.removeSubrange(rest...)
    }

    /// nil: all of them.
    mutating func forget(before first: Day?) { days.removeAll { first == nil || $0 < first! } }

    var progress: Activity.Backfill? {
        guard let last = days.last else { return nil }
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let left = passed > 0 ? Int(seconds / Double(passed) * Double(days.count)) : nil
        return .init(missing: days.count, at: last, secondsLeft: left)
    }
}
