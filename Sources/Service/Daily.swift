internal import Apod
internal import Archive
internal import Files

/// Asks for the new day, every day, and for all that were missed.
struct Daily: Sendable {
    let station: Station
    /// In seconds.
    let jitter: Int
    /// Called when there was an answer.
    let refreshed: @Sendable () -> Void

    func run() async throws(ArchiveError) {
        var schedule = Schedule(jitter: jitter, asked: try lastRefresh())
        var fullUntil: Int?
        while !Task.isCancelled {
            let newest = try self.newest()
            let now = station.time.now
            let moment = min(schedule.next(newest: newest, at: now), fullUntil.map { max($0, now) } ?? .max)
            try announce(moment, newest)
            if moment > now {
                do { try await station.time.wait(until: moment) } catch { return }
                continue
            }
            let error = await refresh()
            if Task.isCancelled { return }
            let result = try self.newest()
            schedule.ask(at: station.time.now, newest: result)
            if error == nil, let result { tell(result) }
            fullUntil = error?.isFull == true ? station.time.now + RefreshError.pauseWhileFull : nil
        }
    }

    private func announce(_ moment: Int, _ newest: Day?) throws(ArchiveError) {
        try station.reading { catalog throws(CatalogError) in try catalog.setFact(.nextRefresh, moment) }
        station.activity.change { state in
            state.nextRefresh = moment
            state.newest = newest
            if let trouble = state.troubles[.refresh] {
                state.troubles[.refresh] = .init(why: trouble.why, retry: moment)
            }
        }
    }

    private func tell(_ newest: Day) {
        station.tell(Notice(.refreshed, "asked for new days; the newest day is \(newest)", day: newest))
    }

    private func refresh() async -> RefreshError? {
        station.activity.change { $0.isRefreshing = true }
        defer { station.activity.change { $0.isRefreshing = false } }
        let error = await station.precedence.first { await ask() }
        if let error {
            if !Task.isCancelled { station.tell(Notice(.refreshFailed, error.description)) }
        } else {
            refreshed()
        }
        station.activity.change { state in
            state.troubles[.refresh] = error.map { .init(why: $0.description, retry: state.nextRefresh ?? 0) }
        }
        await station.rest()
        return error
    }

    private func ask() async -> RefreshError? {
        do throws(ArchiveError) {
            return await station.follow(.missing(try range()))
        } catch {
            return .archive(error)
        }
    }

    /// What was missed since the newest day, and the days before it that are looked at again. Older gaps are filled by
    /// the backfill.
    private func range() throws(ArchiveError) -> ClosedRange<Day> {
        let today = station.session.today
        let newest = try self.newest() ?? today.advanced(by: -Settings.daysAtFirst)
        let first = min(newest, today).advanced(by: -station.session.settings.recheckDays)
        let wanted = try station.session.wanted(until: today)
        return max(first, wanted?.lowerBound ?? today)...today
    }

    private func newest() throws(ArchiveError) -> Day? {
        try station.reading { catalog throws(CatalogError) in try catalog.newest() }
    }

    private func lastRefresh() throws(ArchiveError) -> Int? {
        try station.reading { catalog throws(CatalogError) in try catalog.fact(.lastRefresh) }
    }
}
