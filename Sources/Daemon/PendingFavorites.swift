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
    /// The error of a fetch that ends all fetches.
    private let failure = Mutex<StorageError?>(nil)
    /// The pause between two looks through all favorites, while new ones keep coming.
    private static let distance = Duration.seconds(1)

    init(_ context: ServiceContext, _ favoritesService: FavoritesService) {
        self.context = context
        self.favoritesService = favoritesService
    }

    /// Runs until the task is cancelled. Throws what keeps favorites from being fetched.
    func run() async throws(StorageError) {
        // After a restart of this part, no change announces the known favorites again.
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

    /// Looks again from time to time: pauses end and days begin without a change in the folder.
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
        // A day that came is not paused: it may be deleted, and become a favorite again.
        let left = hasWaited || Task.isCancelled ? [] : days.subtracting(came.withLock(\.self))
        inFlight.withLock { $0.end(days, paused: left, at: .now) }
        // Others may have waited for a free batch.
        favoritesService.remind()
    }

    /// Waits for room if the disk is full. Returns whether it was.
    private func waitForRoom(after error: RefreshError) async -> Bool {
        context.tell(of: error, Notice(.refreshFailed, error.description))
        guard let diskFull = DiskFullWait(error, free: context.free) else { return false }
        let end = context.time.now + Int(RetryPolicy.favoritePause / .seconds(1))
        try? await context.waitForRoom(since: diskFull, until: end)
        return true
    }
}

/// The favorites being fetched: no day twice at a time, and none soon again that has not come.
struct InFlight {
    /// Batches under way.
    private var batches = 0
    private var underway: Set<Day> = []
    /// Days that have not come, and when their batch ended.
    private var paused: [Day: ContinuousClock.Instant] = [:]

    /// More than one, so that a new favorite need not wait for a hundred old ones.
    static let mostBatches = 4

    /// Returns the days to fetch now, as one batch. If there are any, `end` must follow.
    mutating func take(_ dueFavorites: Set<Day>, at now: ContinuousClock.Instant) -> Set<Day> {
        paused = paused.filter { RetryPolicy.isPaused(favoriteSince: $0.value, at: now) }
        let days = dueFavorites.subtracting(underway).subtracting(paused.keys)
        guard !days.isEmpty, batches < Self.mostBatches else { return [] }
        batches += 1
        underway.formUnion(days)
        return days
    }

    /// Ends a batch. `left`: its days that have not come.
    mutating func end(_ days: Set<Day>, paused left: Set<Day>, at now: ContinuousClock.Instant) {
        batches -= 1
        underway.subtract(days)
        for day in left { paused[day] = now }
    }
}
