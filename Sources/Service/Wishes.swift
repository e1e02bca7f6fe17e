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
    /// What a fetch met that it cannot go on with, nor any other.
    private let failure = Mutex<ArchiveError?>(nil)
    /// All favorites are looked through: while one comes after the other, not after each.
    private static let breath = Duration.seconds(1)

    init(_ station: Station, _ keeper: Keeper) {
        self.station = station
        self.keeper = keeper
    }

    /// Until the task is cancelled. Throws what only opening the mirror anew can mend.
    func run() async throws(ArchiveError) {
        // What was rung for before, nobody rings for again.
        keeper.remind()
        let failure = await withDiscardingTaskGroup { group in
            group.addTask { await self.remind() }
            let failure = await self.work { days in group.addTask { await self.fetch(days) } }
            group.cancelAll()
            return failure
        }
        if let failure { throw failure }
    }

    private func work(_ fetch: (Set<Day>) -> Void) async -> ArchiveError? {
        for await _ in keeper.changes {
            if let failure = failure.withLock({ $0.take() }) { return failure }
            do throws(ArchiveError) {
                let days = try await due()
                if !days.isEmpty { fetch(days) }
            } catch {
                return error
            }
            try? await nap(for: Self.breath)
        }
        return nil
    }

    /// Nobody rings when it is time to ask again, or when a day begins.
    private func remind() async {
        while (try? await nap(for: Turns.pause / 4)) != nil { keeper.remind() }
    }

    private func due() async throws(ArchiveError) -> Set<Day> {
        if try await station.quiet() != nil { return [] }
        let now = station.time.now
        let wishes = try await station.reading { catalog throws(CatalogError) in try catalog.wishes(at: now) }
        return turns.withLock { $0.take(wishes, at: .now) }
    }

    private func fetch(_ days: Set<Day>) async {
        let came = Mutex<Set<Day>>([])
        var hasRested = false
        do throws(ArchiveError) {
            let error = try await station.precedence.first { () async throws(ArchiveError) in
                try await station.follow(.days(days)) { event in
                    if case .mirrored(let day, _, _, _) = event { came.withLock { _ = $0.insert(day) } }
                }
            }
            if let error, !Task.isCancelled { hasRested = await rest(after: error) }
        } catch {
            failure.withLock { $0 = error }
        }
        // What has come can go, and be wished for once more.
        let left = hasRested || Task.isCancelled ? [] : days.subtracting(came.withLock(\.self))
        turns.withLock { $0.end(days, resting: left, at: .now) }
        // Others may have waited for their turn.
        keeper.remind()
    }

    /// Waits where room on the disk is what is missing. Returns whether it was.
    private func rest(after error: RefreshError) async -> Bool {
        station.tell(Notice(.refreshFailed, error.description))
        guard let fullness = Fullness(error, free: station.free) else { return false }
        let end = station.time.now + Int(Turns.pause / .seconds(1))
        try? await station.waitForRoom(since: fullness, until: end)
        return true
    }
}
