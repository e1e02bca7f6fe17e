import Apod
import Archive
import Catalog
import Concurrency
import Favorites
import Files
import Syncing

/// Fetches the favorites that are not here yet, one batch after the other.
struct PendingFavorites: Sendable {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// The pause between two looks through all favorites, while new ones keep coming.
    private static let distance = Duration.seconds(1)
    /// Few days, so that a new favorite need not wait for a hundred old ones, and any of them, so that days that cannot be
    /// had never stand before the others.
    private static let batch = 25

    /// Runs until the task is cancelled. Throws what keeps favorites from being fetched.
    func run() async throws {
        // After a restart of this part, no change announces the known favorites again.
        if favoritesService.knowsFavorites { favoritesService.remind() }
        async let _ = remind()
        try await fetchPending()
    }

    private func fetchPending() async throws {
        /// Days that have not come, and when their batch ended.
        var paused: [Day: ContinuousClock.Instant] = [:]
        for await _ in favoritesService.changes {
            paused = paused.filter { RetryPolicy.isPaused(favoriteSince: $0.value, at: .now) }
            let days = try await due().subtracting(paused.keys).shuffled().prefix(Self.batch)
            if !days.isEmpty {
                let left = try await fetch(Set(days))
                for day in left { paused[day] = .now }
                favoritesService.remind()
            }
            try? await sleep(for: Self.distance)
        }
    }

    /// Looks again from time to time: pauses end and days begin without a change in the folder.
    private func remind() async {
        while (try? await sleep(for: RetryPolicy.favoritePause / 4)) != nil { favoritesService.remind() }
    }

    private func due() async throws -> Set<Day> {
        let mirror = context.mirror
        return try await blocking { try mirror.dueFavorites() }
    }

    /// Returns the days that have not come and are to be left alone for a while.
    private func fetch(_ days: Set<Day>) async throws -> Set<Day> {
        let error = try await context.priorityGate.urgently {
            try await context.refresh(.favorites(days))
        }
        if Task.isCancelled { return [] }
        if let error, await waitForRoom(after: error) { return [] }
        // What ended the refresh would end the next one, too.
        return error == nil ? try await due().intersection(days) : try await due()
    }

    /// Waits for room if the disk is full. Returns whether it was.
    private func waitForRoom(after error: Problem) async -> Bool {
        context.tell(of: error, Notice(.refreshFailed, error.words))
        guard let diskFull = DiskFullWait(error, free: await context.free) else { return false }
        let end = context.time.now + Int(RetryPolicy.favoritePause / .seconds(1))
        try? await context.waitForRoom(since: diskFull, until: end)
        return true
    }
}
