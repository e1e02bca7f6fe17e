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
        var occasion = occasions.makeAsyncIterator()
        var hold: Hold?
        repeat { hold = try await clear(after: hold) } while await comes(&occasion, within: hold?.pause)
    }

    /// Whether there is another occasion; in so many seconds, it makes one.
    private func comes(_ occasion: inout AsyncStream<Void>.Iterator, within pause: Int?) async -> Bool {
        await withDiscardingTaskGroup { group in
            if let pause { group.addTask { await ring(in: pause) } }
            let isThere = await occasion.next() != nil
            group.cancelAll()
            return isThere
        }
    }

    /// Earlier if the clock is set: then the end is another one.
    private func ring(in pause: Int) async {
        do { try await station.time.wait(until: station.time.now + pause) } catch { return }
        ring()
    }

    /// Not before it is known what the favorites are. Returns what is held back.
    private func clear(after before: Hold?) async throws(ArchiveError) -> Hold? {
        guard keeper.knowsFavorites else { return before }
        let pruning = try await station.session.retention.apply(after: before)
        station.activity.change { $0.held = pruning.hold?.line }
        for notice in pruning.notices { station.tell(notice) }
        // Also after a restart: who looks for the reason of that finds it told.
        if let hold = pruning.hold, hold.since != before?.since { station.tell(Notice(.held, hold.words)) }
        if !pruning.days.isEmpty { await station.rest() }
        return pruning.hold
    }
}
