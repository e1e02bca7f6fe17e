import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Files
import Syncing

/// Asks for the new day, every day, and for all days missed before it.
struct DailyRefresh: Sendable {
    let context: ServiceContext
    /// In seconds.
    let jitter: Int
    /// Called when more is known of the newest days.
    let refreshed: @Sendable () -> Void

    func run() async throws {
        context.failure.change(to: nil)
        var known = try await known()
        var schedule = RefreshSchedule(jitter: jitter, asked: known.answered)
        var diskFull: DiskFullWait?
        while !Task.isCancelled {
            let now = context.time.now
            let moment = schedule.next(known, at: now)
            announce(moment, known.newest)
            if moment > now, await !isOver(diskFull) {
                let next = diskFull == nil ? moment : min(moment, now + DiskFullWait.interval)
                do { try await context.time.wait(until: next) } catch { return }
                known = try await self.known()
                continue
            }
            let before = (known.newest, known.certain(at: now))
            let range = try await range(from: before.1)
            let error = try await refresh(range)
            if Task.isCancelled { return }
            // Measured before the failure is told: somebody may make room at once.
            diskFull = DiskFullWait(error, free: await context.free)
            known = try await self.known()
            let after = context.time.now
            schedule.ask(known, from: now, at: after)
            if range != nil { tell(error, known.newest) }
            if (known.newest, known.certain(at: after)) != before { refreshed() }
        }
    }

    private func isOver(_ diskFull: DiskFullWait?) async -> Bool {
        guard let diskFull else { return false }
        return diskFull.isOver(free: await context.free)
    }

    private func announce(_ moment: Int, _ newest: Day?) {
        context.activity.change { state in
            state.nextRefresh = moment
            state.newest = newest
            state.troubles[.refresh] = state.troubles[.refresh].map { .init($0.failure, retry: moment) }
        }
    }

    private func tell(_ error: Problem?, _ newest: Day?) {
        context.activity.change { state in
            state.troubles[.refresh] = error.map { .init($0, retry: state.nextRefresh ?? 0) }
        }
        let isNews = context.failure.change(to: error?.code)
        if let error {
            if isNews { context.tell(of: error, Notice(.refreshFailed, error.words)) }
        } else if let newest {
            context.tell(Notice(.refreshed, "asked for new days; the newest day is \(newest)", day: newest))
        }
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

    private func known() async throws -> RefreshSchedule.Known {
        let now = context.time.now
        return try await context.reading { catalog in
            .init(
                newest: try catalog.newest(), whole: try catalog.newestComplete(),
                answered: try catalog.fact(.lastRefresh), quiet: try catalog.quiet(at: now))
        }
    }
}
