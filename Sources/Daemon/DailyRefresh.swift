internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Configuration
internal import Control
internal import Syncing

/// Asks for the new day, every day, and for all that were missed.
struct DailyRefresh: Sendable {
    let context: ServiceContext
    /// In seconds.
    let jitter: Int
    /// Called when a new day has come.
    let refreshed: @Sendable () -> Void

    func run() async throws(ArchiveError) {
        var schedule = RefreshSchedule(jitter: jitter, asked: try await lastRefresh())
        var failure: RefreshError?
        var diskFull: DiskFullWait?
        while !Task.isCancelled {
            if context.activity.now.troubles[.refresh] == nil { failure = nil }
            let before = try await known()
            let now = context.time.now
            let moment = max(schedule.next(newest: before.certain, at: now), try await context.quiet() ?? now)
            await announce(moment, before.newest)
            if moment > now, diskFull?.isOver(free: context.free) != true {
                let look = diskFull == nil ? moment : min(moment, now + DiskFullWait.look)
                do { try await context.time.wait(until: look) } catch { return }
                continue
            }
            let error = try await refresh()
            if Task.isCancelled { return }
            // Before anybody is told, who might make room at once.
            diskFull = DiskFullWait(error, free: context.free)
            let result = try await known()
            schedule.ask(at: context.time.now, newest: result.certain)
            tell(error, after: failure, result.newest)
            if result != before { refreshed() }
            failure = error
        }
    }

    private func announce(_ moment: Int, _ newest: Day?) async {
        // On a full disk, only a command that asks the service learns of it.
        try? await context.reading { catalog throws(CatalogError) in
            if try catalog.fact(.nextRefresh) != moment { try catalog.setFact(.nextRefresh, moment) }
        }
        context.activity.change { state in
            state.nextRefresh = moment
            state.newest = newest
            state.troubles[.refresh] = state.troubles[.refresh].map { .init(why: $0.why, retry: moment) }
        }
    }

    private func tell(_ error: RefreshError?, after failure: RefreshError?, _ newest: Day?) {
        context.activity.change { state in
            state.troubles[.refresh] = error.map { .init(why: $0.description, retry: state.nextRefresh ?? 0) }
        }
        if let error {
            if error.kind != failure?.kind { context.tell(Notice(.refreshFailed, error.description)) }
        } else if let newest {
            context.tell(Notice(.refreshed, "asked for new days; the newest day is \(newest)", day: newest))
        }
    }

    private func refresh() async throws(ArchiveError) -> RefreshError? {
        context.activity.change { $0.isRefreshing = true }
        defer { context.activity.change { $0.isRefreshing = false } }
        let error = try await context.priorityGate.urgently { () async throws(ArchiveError) in try await ask() }
        await context.releaseMemory()
        return error
    }

    private func ask() async throws(ArchiveError) -> RefreshError? {
        guard let range = try await range() else { return nil }
        return try await context.follow(.missing(range))
    }

    /// What was missed since the newest day, and the days before it that are looked at again; older gaps are filled by
    /// the backfill. nil if none of that is to be mirrored: by a clock that is behind, perhaps.
    private func range() async throws(ArchiveError) -> ClosedRange<Day>? {
        let mirror = context.mirror
        let today = mirror.today
        let newest = try await known().certain ?? today.advanced(by: -Settings.daysAtFirst)
        let first = min(newest, today).advanced(by: -mirror.settings.recheckDays)
        let wanted = try await blocking { () throws(ArchiveError) in try mirror.wanted(until: today) }
        return wanted.map { max(first, $0.lowerBound)...today }
    }

    private struct Known: Equatable {
        let newest: Day?
        /// The newest day that is there with its picture. Today is not, whoever has brought it, before all that is new
        /// was asked for today: other days may be missing.
        let certain: Day?
    }

    private func known() async throws(ArchiveError) -> Known {
        let now = context.time.now
        let today = NewYork.day(at: now)
        return try await context.reading { catalog throws(CatalogError) in
            let asked = try catalog.fact(.lastRefresh) ?? 0
            let isKnown = asked >= NewYork.moment(of: today, second: 0) && asked <= now
            let whole = try catalog.newestWhole()
            return Known(
                newest: try catalog.newest(),
                certain: whole.map { isKnown ? $0 : min($0, today.advanced(by: -1)) })
        }
    }

    private func lastRefresh() async throws(ArchiveError) -> Int? {
        try await context.reading { catalog throws(CatalogError) in try catalog.fact(.lastRefresh) }
    }
}
