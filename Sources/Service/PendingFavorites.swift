import Apod
import Favorites
import Files
import Store
import Syncing

/// Fetches the favorites that are not here yet, some at a time.
actor PendingFavorites {
    private let context: ServiceContext
    private let favoritesService: FavoritesService
    /// What has not come, and when it was asked for.
    private var paused: [Key: ContinuousClock.Instant] = [:]

    /// The pause between two rounds, while new favorites keep coming.
    private static let distance = Duration.seconds(1)
    /// Few days, so that a new favorite need not wait for a hundred old ones, and any of them, so that days that cannot be
    /// had never stand before the others.
    private static let batch = 25

    init(_ context: ServiceContext, _ favoritesService: FavoritesService) {
        (self.context, self.favoritesService) = (context, favoritesService)
    }

    /// Returns when to look again: pauses end and days begin without a change in the folder. nil if all favorites are here.
    func round() async throws -> Int? {
        guard favoritesService.knowsFavorites else { return nil }
        paused = paused.filter { RetryPolicy.isPaused(favoriteSince: $0.value, at: .now) }
        let keys = Set(try await due().subtracting(paused.keys).shuffled().prefix(Self.batch))
        if !keys.isEmpty {
            if let failure = try await fetch(keys) { throw failure }
            for key in try await due().intersection(keys) { paused[key] = .now }
        }
        try await sleep(for: Self.distance)
        if !keys.isEmpty { return context.time.now }
        let favorites = context.mirror.archive.favorites.known.keys
        let pending = try await context.reading { catalog in try catalog.pending(among: favorites) }
        return pending.isEmpty ? nil : context.time.now + Int(RetryPolicy.favoritePause / .seconds(4))
    }

    /// Returns why not all could be asked for.
    private func fetch(_ favorites: Set<Key>) async throws -> Problem? {
        let (days, items) = (favorites.days, favorites.filter { $0.list != nil })
        var failure: Problem?
        if !days.isEmpty {
            failure = try await context.priorityGate.urgently { try await context.refresh(.favorites(days)) }
        }
        if items.isEmpty { return failure }
        let ofLists = try await context.listGate.urgently {
            try await context.run { report in try await ListRound(context.mirror, report).fetchWanted(items) }
        }
        return failure ?? ofLists
    }

    private func due() async throws -> Set<Key> {
        let mirror = context.mirror
        return try await blocking { try mirror.dueFavorites() }
    }
}
