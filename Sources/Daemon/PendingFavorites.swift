internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Favorites
internal import Files
import Synchronization
internal import Syncing

/// Fetches the favorites that are not here yet.
final class PendingFavorites: Sendable {
    private let context: ServiceContext
    private let favoritesService: FavoritesService
    private let inFlight = Mutex(InFlight())
    /// What a fetch met that it cannot go on with, nor any other.
    private let failure = Mutex<StorageError?>(nil)
    /// All favorites are looked through: while one comes after the other, not after each.
    private static let distance = Duration.seconds(1)

    init(_ context: ServiceContext, _ favoritesService: FavoritesService) {
        self.context = context
        self.favoritesService = favoritesService
    }

    /// Until the task is cancelled. Throws what only opening the mirror anew can mend.
    func run() async throws(StorageError) {
        // Nobody tells again of the favorites that are known already: they are looked through once now. Otherwise, whoever
        // finds them does.
        if favoritesService.knowsFavorites { favoritesService.remind() }
        let failure = await withDiscardingTaskGroup { group in
            group.addTask { await self.remind() }
            let failure = await self.work { days in group.addTask { await self.fetch(days) } }
            group.cancelAll()
            return failure
        }
        if let failure { throw failure }
    }

    private func work(_ fetch: (Set<Day>) -> Void) async -> StorageError? {
        for await _ in favoritesService.changes {
            if let failure = failure.withLock({ $0.take() }) { return failure }
            do throws(StorageError) {
                let days = try await due()
                if !days.isEmpty { fetch(days) }
            } catch {
                return error
            }
            try? await sleep(for: Self.distance)
        }
        return nil
    }

    /// Nothing in the folder changes when it is time to ask again, or when a day begins.
    private func remind() async {
        while (try? await sleep(for: RetryPolicy.favoritePause / 4)) != nil { favoritesService.remind() }
    }

    private func due() async throws(StorageError) -> Set<Day> {
        if try await context.quiet() != nil { return [] }
        let now = context.time.now
        let dueFavorites = try await context.reading { catalog throws(StorageError) in try catalog.dueFavorites(at: now)
        }
        return inFlight.withLock { $0.take(dueFavorites, at: .now) }
    }

    private func fetch(_ days: Set<Day>) async {
        let came = Mutex<Set<Day>>([])
        var hasWaited = false
        do throws(StorageError) {
            let error = try await context.priorityGate.urgently { () async throws(StorageError) in
                try await context.follow(.days(days)) { event in
                    if case .mirrored(let day, _, _, _) = event { came.withLock { _ = $0.insert(day) } }
                }
            }
            if let error, !Task.isCancelled { hasWaited = await waitForRoom(after: error) }
        } catch {
            failure.withLock { $0 = error }
        }
        // What has come can go, and become a favorite once more.
        let left = hasWaited || Task.isCancelled ? [] : days.subtracting(came.withLock(\.self))
        inFlight.withLock { $0.end(days, paused: left, at: .now) }
        // Others may have waited for a free batch.
        favoritesService.remind()
    }

    /// Waits where room on the disk is what is missing. Returns whether it was.
    private func waitForRoom(after error: RefreshError) async -> Bool {
        context.tell(of: error, Notice(.refreshFailed, error.description))
        guard let diskFull = DiskFullWait(error, free: context.free) else { return false }
        let end = context.time.now + Int(RetryPolicy.favoritePause / .seconds(1))
        try? await context.waitForRoom(since: diskFull, until: end)
        return true
    }
}
