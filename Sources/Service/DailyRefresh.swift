import Apod
import Configuration
import Files
import Store
import Syncing

/// Asks for the new day, every day, and for all days missed before it.
actor DailyRefresh {
    private let context: ServiceContext
    /// In seconds.
    private let jitter: Int
    /// Called when more is known of the newest days.
    private let refreshed: @Sendable () -> Void
    /// nil before the first round.
    private var schedule: RefreshSchedule?

    init(_ context: ServiceContext, jitter: Int, _ refreshed: @escaping @Sendable () -> Void) {
        (self.context, self.jitter, self.refreshed) = (context, jitter, refreshed)
    }

    /// Returns when a day is due next.
    func round() async throws -> Int {
        let (before, start) = (try await known(), context.time.now)
        var schedule = schedule ?? RefreshSchedule(jitter: jitter, asked: before.answered)
        self.schedule = schedule
        let moment = schedule.next(before, at: start)
        announce(moment, before.newest)
        if moment > start { return moment }
        let range = try await range(from: before.certain(at: start))
        let failure = try await refresh(range)
        let (after, end) = (try await known(), context.time.now)
        if (after.newest, after.certain(at: end)) != (before.newest, before.certain(at: start)) { refreshed() }
        if let failure { throw failure }
        schedule.ask(after, from: start, at: end)
        self.schedule = schedule
        if range != nil, let newest = after.newest { context.tell(.refreshed(newest: newest)) }
        return end
    }

    private func announce(_ moment: Int, _ newest: Day?) {
        context.activity.change { ($0.nextRefresh, $0.newest) = (moment, newest) }
    }

    private func refresh(_ range: ClosedRange<Day>?) async throws -> Problem? {
        guard let range else { return nil }
        context.activity.change { $0.isRefreshing = true }
        defer { context.activity.change { $0.isRefreshing = false } }
        let error = try await context.priorityGate.urgently {
            try await context.refresh(.missing(range))
        }
        await context.releaseMemory()
        return error
    }

    /// The days from `recheck-days` before the newest until today; `Backfill` fills older gaps. nil if none of them is
    /// to be mirrored, as when the clock is behind.
    private func range(from newest: Day?) async throws -> ClosedRange<Day>? {
        let mirror = context.mirror
        let today = mirror.today
        let newest = min(newest ?? today.advanced(by: -Settings.daysAtFirst), today)
        let first = newest.advanced(by: -mirror.settings.recheckDays)
        let wanted = try await blocking { try mirror.range.wanted(until: today) }
        return wanted.map { max(first, $0.lowerBound)...today }
    }

    private func known() async throws -> RefreshSchedule.Newest {
        let now = context.time.now
        return try await context.reading { catalog in
            .init(
                newest: try catalog.newest(), whole: try catalog.newestComplete(),
                answered: try catalog.fact(.lastRefresh), quiet: try catalog.quiet(at: now))
        }
    }
}
