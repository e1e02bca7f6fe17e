internal import Apod
internal import Archive
internal import Favorites
internal import Files
import Synchronization

/// Fetches the favorites that are not here yet.
final class Wishes: Sendable {
    private let station: Station
    private let keeper: Keeper
    private let turns = Mutex(Turns())
    /// All favorites are looked through: while one comes after the other, not after each.
    private static let breath = Duration.seconds(1)

    init(_ station: Station, _ keeper: Keeper) {
        self.station = station
        self.keeper = keeper
    }

    /// Until the task is cancelled.
    func run() async throws {
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await self.remind() }
            for await _ in keeper.changes {
                let days = try await due()
                if !days.isEmpty { group.addTask { try await self.fetch(days) } }
                try? await nap(for: Self.breath)
            }
        }
    }

    /// Nobody rings when it is time to ask again, or when a day begins.
    private func remind() async {
        while (try? await nap(for: Turns.pause / 4)) != nil { keeper.remind() }
    }

    private func due() async throws(ArchiveError) -> Set<Day> {
        let now = station.time.now
        let wishes = try await station.reading { catalog throws(CatalogError) in try catalog.wishes(at: now) }
        return turns.withLock { $0.take(wishes, at: .now) }
    }

    private func fetch(_ days: Set<Day>) async throws {
        // Whatever becomes of it, others may have waited for their turn.
        defer {
            turns.withLock { $0.end(days, at: .now) }
            keeper.remind()
        }
        let error = try await station.precedence.first { () async throws(ArchiveError) in
            try await station.follow(.days(days))
        }
        if let error, !Task.isCancelled { station.tell(Notice(.refreshFailed, error.description)) }
    }
}
