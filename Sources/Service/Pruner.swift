import Favorites
import Files
import Store
import Syncing

/// Deletes what `keep` and `max-total` do not allow (`Retention`).
actor Pruner {
    private let context: ServiceContext
    private let favoritesService: FavoritesService
    /// The rules of what waited after the last round.
    private var told: [String] = []

    init(_ context: ServiceContext, _ favoritesService: FavoritesService) {
        (self.context, self.favoritesService) = (context, favoritesService)
    }

    /// Does nothing before the favorites are known.
    func round() async throws {
        guard favoritesService.knowsFavorites else { return }
        let pruning = try await context.mirror.retention.apply()
        context.activity.change { $0.held = pruning.holds.first?.line }
        for event in pruning.told { context.tell(event) }
        // A hold that grows by a day each day is no news.
        for hold in pruning.holds where !told.contains(hold.settings) { context.tell(.held(hold.words)) }
        told = pruning.holds.map(\.settings)
        if !pruning.pictures.isEmpty { await context.releaseMemory() }
    }
}

extension Event {
    /// What waits is told by `Pruner`, which meets it soon after, and by nobody else.
    var isOfPruner: Bool {
        switch self {
        case .held, .deleted(_, _, why: .some): true
        default: false
        }
    }
}
