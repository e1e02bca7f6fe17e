internal import Archive
internal import Concurrency
internal import Control
internal import Favorites
internal import Files
internal import Syncing

/// Deletes what is not to be kept any longer.
struct Pruner: Sendable {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// When there may be more than before, and when the favorites are known.
    let occasions: AsyncStream<Void>
    let signal: @Sendable () -> Void

    /// Until the task is cancelled.
    func run() async throws(StorageError) {
        var occasion = occasions.makeAsyncIterator()
        var hold: PruneHold?
        repeat { hold = try await prune(after: hold) } while await comes(&occasion, within: hold?.pause)
    }

    /// Whether there is another occasion; in so many seconds, it makes one.
    private func comes(_ occasion: inout AsyncStream<Void>.Iterator, within pause: Int?) async -> Bool {
        await withDiscardingTaskGroup { group in
            if let pause { group.addTask { await signal(in: pause) } }
            let isThere = await occasion.next() != nil
            group.cancelAll()
            return isThere
        }
    }

    /// Earlier if the clock is set: then the end is another one.
    private func signal(in pause: Int) async {
        do { try await context.time.wait(until: context.time.now + pause) } catch { return }
        signal()
    }

    /// Not before it is known what the favorites are. Returns what is held back.
    private func prune(after before: PruneHold?) async throws(StorageError) -> PruneHold? {
        guard favoritesService.knowsFavorites else { return before }
        let pruning = try await context.mirror.retention.apply(after: before)
        context.activity.change { $0.held = pruning.hold?.line }
        for notice in pruning.notices { context.tell(notice) }
        // Also after a restart: who looks for the reason of that finds it told.
        if let hold = pruning.hold, hold.since != before?.since {
            context.tell(Notice(.held, hold.words(isServed: true)))
        }
        if !pruning.days.isEmpty { await context.releaseMemory() }
        return pruning.hold
    }
}
