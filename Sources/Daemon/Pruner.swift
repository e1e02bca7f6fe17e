import Archive
import Concurrency
import Control
import Favorites
import Files
import Syncing

/// Deletes what `keep` and `max-total` do not allow (`Retention`).
struct Pruner: Sendable {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// Yields when there may be more files, and when the favorites are known.
    let occasions: AsyncStream<Void>

    /// Runs until the task is cancelled.
    func run() async throws {
        var occasion = occasions.makeAsyncIterator()
        var told: [String] = []
        repeat { told = try await prune(told) } while await occasion.next() != nil
    }

    /// Does nothing before the favorites are known. `told`: the rules of what waited after the last round; returns those
    /// after this one.
    private func prune(_ told: [String]) async throws -> [String] {
        guard favoritesService.knowsFavorites else { return told }
        let pruning = try await context.mirror.retention.apply()
        context.activity.change { $0.held = pruning.holds.first?.line }
        for notice in pruning.notices { context.tell(notice) }
        // A hold that grows by a day each day is no news.
        for hold in pruning.holds where !told.contains(hold.settings) { context.tell(Notice(.held, hold.words)) }
        if !pruning.pictures.isEmpty { await context.releaseMemory() }
        return pruning.holds.map(\.settings)
    }
}
