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
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.remind() }
            for await _ in keeper.changes {
                let days = due()
                if !days.isEmpty { group.addTask { await self.fetch(days) } }
                try? await nap(for: Self.breath)
            }
        }
    }

    /// Nobody rings when it is time to ask again, or when a day begins.
    private func remind() async {
        while (try? await nap(for: Turns.pause / 4)) != nil { keeper.remind() }
    }

    private func due() -> Set<Day> {
        do throws(CatalogError) {
            let wishes = try station.session.wishes()
            return turns.withLock { $0.take(wishes, at: .now) }
        } catch {
            station.tell(Notice(.trouble, "\(error)"))
            return []
        }
    }

    private func fetch(_ days: Set<Day>) async {
        let (arrivals, arrival) = AsyncStream<Day>.makeStream()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.welcomeAll(arrivals) }
            let error = await station.precedence.first {
                await station.follow(.days(days)) { event in
                    if case .mirrored(let day, _, _, _) = event { arrival.yield(day) }
                }
            }
            arrival.finish()
            if let error, !Task.isCancelled { station.tell(Notice(.refreshFailed, error.description)) }
        }
        turns.withLock { $0.end(days, at: .now) }
        // Others may have waited for their turn.
        keeper.remind()
    }

    private func welcomeAll(_ arrivals: AsyncStream<Day>) async {
        var waiting: Set<Day> = []
        for await day in arrivals { waiting = await welcome(waiting.union([day])) }
        if !waiting.isEmpty { _ = await welcome(waiting) }
    }

    /// Returns those that are to be welcomed once more.
    private func welcome(_ days: Set<Day>) async -> Set<Day> {
        do throws(ArchiveError) {
            try await keeper.welcome(days)
            return []
        } catch {
            station.tell(Notice(.trouble, "\(error)"))
            return days
        }
    }
}
