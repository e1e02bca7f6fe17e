internal import Apod
internal import Archive
internal import Files

/// Asks for the new day, every day, and for all that were missed.
struct Daily: Sendable {
    let station: Station
    /// In seconds.
    let jitter: Int
    /// Called when a new day has come.
    let refreshed: @Sendable () -> Void

    func run() async throws(ArchiveError) {
        var schedule = Schedule(jitter: jitter, asked: try await lastRefresh())
        var failure: RefreshError?
        var fullness: Fullness?
        while !Task.isCancelled {
            if station.activity.now.troubles[.refresh] == nil { failure = nil }
            let before = try await known()
            let now = station.time.now
            let moment = max(schedule.next(newest: before.certain, at: now), try await station.quiet() ?? now)
            await announce(moment, before.newest)
            if moment > now, fullness?.isOver(free: station.free) != true {
                let look = fullness == nil ? moment : min(moment, now + Fullness.look)
                do { try await station.time.wait(until: look) } catch { return }
                continue
            }
            let error = try await refresh()
            if Task.isCancelled { return }
            // Before anybody is told, who might make room at once.
            fullness = Fullness(error, free: station.free)
            let result = try await known()
            schedule.ask(at: station.time.now, newest: result.certain)
            tell(error, after: failure, result.newest)
            if result != before { refreshed() }
            failure = error
        }
    }

    private func announce(_ moment: Int, _ newest: Day?) async {
        // On a full disk, only a command that asks the service learns of it.
        try? await station.reading { catalog throws(CatalogError) in
            if try catalog.fact(.nextRefresh) != moment { try catalog.setFact(.nextRefresh, moment) }
        }
        station.activity.change { state in
            state.nextRefresh = moment
            state.newest = newest
            state.troubles[.refresh] = state.troubles[.refresh].map { .init(why: $0.why, retry: moment) }
        }
    }

    private func tell(_ error: RefreshError?, after failure: RefreshError?, _ newest: Day?) {
        station.activity.change { state in
            state.troubles[.refresh] = error.map { .init(why: $0.description, retry: state.nextRefresh ?? 0) }
        }
        if let error {
            if error.kind != failure?.kind { station.tell(Notice(.refreshFailed, error.description)) }
        } else if let newest {
            station.tell(Notice(.refreshed, "asked for new days; the newest day is \(newest)", day: newest))
        }
    }

    private func refresh() async throws(ArchiveError) -> RefreshError? {
        station.activity.change { $0.isRefreshing = true }
        defer { station.activity.change { $0.isRefreshing = false } }
        let error = try await station.precedence.first { () async throws(ArchiveError) in try await ask() }
        await station.rest()
        return error
    }

    private func ask() async throws(ArchiveError) -> RefreshError? {
        guard let range = try await range() else { return nil }
        return try await station.follow(.missing(range))
    }

    /// What was missed since the newest day, and the days before it that are looked at again; older gaps are filled by
    /// the backfill. nil if none of that is to be mirrored: by a clock that is behind, perhaps.
    private func range() async throws(ArchiveError) -> ClosedRange<Day>? {
        let session = station.session
        let today = session.today
        let newest = try await known().certain ?? today.advanced(by: -Settings.daysAtFirst)
        let first = min(newest, today).advanced(by: -session.settings.recheckDays)
        let wanted = try await blocking { () throws(ArchiveError) in try session.wanted(until: today) }
        return wanted.map { max(first, $0.lowerBound)...today }
    }

    private struct Known: Equatable {
        let newest: Day?
        /// The newest day that is there with its picture. Today is not, whoever has brought it, before all that is new
        /// was asked for today: other days may be missing.
        let certain: Day?
    }

    private func known() async throws(ArchiveError) -> Known {
        let now = station.time.now
        let today = NewYork.day(at: now)
        return try await station.reading { catalog throws(CatalogError) in
            let asked = try catalog.fact(.lastRefresh) ?? 0
            let isKnown = asked >= NewYork.moment(of: today, second: 0) && asked <= now
            let whole = try catalog.newestWhole()
            return Known(
                newest: try catalog.newest(),
                certain: whole.map { isKnown ? $0 : min($0, today.advanced(by: -1)) })
        }
    }

    private func lastRefresh() async throws(ArchiveError) -> Int? {
        try await station.reading { catalog throws(CatalogError) in try catalog.fact(.lastRefresh) }
    }
}
