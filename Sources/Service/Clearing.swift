internal import Apod
internal import Archive
internal import Favorites

/// Lets go of what is not to be kept any longer.
struct Clearing: Sendable {
    let station: Station
    let keeper: Keeper
    /// Rung when there may be more than before, and when the favorites are known.
    let occasions: AsyncStream<Void>
    let ring: @Sendable () -> Void

    /// Until the task is cancelled.
    func run() async throws(ArchiveError) {
        let failure = await withDiscardingTaskGroup { group in
            let failure = await work { hold in group.addTask { await ring(atEndOf: hold) } }
            group.cancelAll()
            return failure
        }
        if let failure { throw failure }
    }

    /// `watch`: has it rung at the end of what is held back.
    private func work(_ watch: (Hold) -> Void) async -> ArchiveError? {
        var hold: Hold?
        do throws(ArchiveError) {
            hold = try await clear(after: hold, watch)
            for await _ in occasions { hold = try await clear(after: hold, watch) }
            return nil
        } catch {
            return error
        }
    }

    /// Not before it is known what the favorites are. Returns what is held back.
    private func clear(after before: Hold?, _ watch: (Hold) -> Void) async throws(ArchiveError) -> Hold? {
        guard keeper.knowsFavorites else { return before }
        let pruning = try await station.session.retention.apply(after: before)
        for notice in pruning.notices { station.tell(notice) }
        // Also after a restart: who looks for the reason of that finds it told.
        if let hold = pruning.hold, hold.since != before?.since {
            station.tell(Notice(.held, hold.words))
            watch(hold)
        }
        if !pruning.days.isEmpty { await station.rest() }
        return pruning.hold
    }

    private func ring(atEndOf hold: Hold) async {
        while station.time.now < hold.end {
            do { try await station.time.wait(until: hold.end) } catch { return }
        }
        ring()
    }
}
