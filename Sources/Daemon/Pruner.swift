internal import Archive
internal import Concurrency
internal import Control
internal import Favorites
internal import Files
internal import Syncing

/// Deletes what `keep` and `max-total` do not allow (`Retention`).
struct Pruner: Sendable {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// Yields when there may be more files, and when the favorites are known.
    let occasions: AsyncStream<Void>

    /// Runs until the task is cancelled.
    func run() async throws(StorageError) {
        var occasion = occasions.makeAsyncIterator()
        var told: PruneHold?
        repeat { told = try await prune(told) } while await occasion.next() != nil
    }

    /// Does nothing before the favorites are known. `told`: the hold after the last round; returns the hold after this
    /// one.
    private func prune(_ told: PruneHold?) async throws(StorageError) -> PruneHold? {
        guard favoritesService.knowsFavorites else { return told }
        let pruning = try await context.mirror.retention.apply()
        context.activity.change { $0.held = pruning.hold?.line }
        for notice in pruning.notices { context.tell(notice) }
        // A hold that grows by a day each day is no news.
        if let hold = pruning.hold, hold.rule != told?.rule {
            context.tell(Notice(.held, hold.words))
        }
        if !pruning.days.isEmpty { await context.releaseMemory() }
        return pruning.hold
    }
}
