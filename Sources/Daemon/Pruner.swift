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

    /// Until the task is cancelled.
    func run() async throws(StorageError) {
        var occasion = occasions.makeAsyncIterator()
        var told: PruneHold?
        repeat { told = try await prune(told) } while await occasion.next() != nil
    }

    /// Not before it is known what the favorites are. `told`: what is known to be held back; returns what is.
    private func prune(_ told: PruneHold?) async throws(StorageError) -> PruneHold? {
        guard favoritesService.knowsFavorites else { return told }
        let pruning = try await context.mirror.retention.apply()
        context.activity.change { $0.held = pruning.hold?.line }
        for notice in pruning.notices { context.tell(notice) }
        // A day more each day is no news.
        if let hold = pruning.hold, hold.rule != told?.rule {
            context.tell(Notice(.held, hold.words(isServed: true)))
        }
        if !pruning.days.isEmpty { await context.releaseMemory() }
        return pruning.hold
    }
}
