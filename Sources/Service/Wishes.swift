internal import Apod
internal import Archive
package import Favorites
internal import Files
import Synchronization

/// Fetches the favorites that are not here yet.
package final class Wishes: Sendable {
    private let session: Session
    private let keeper: Keeper
    private let report: @Sendable (Refresh.Event) -> Void
    private let turns = Mutex(Turns())
    /// All favorites are looked through: while one comes after the other, not after each.
    private static let breath = Duration.seconds(1)

    package init(_ session: Session, _ keeper: Keeper, report: @escaping @Sendable (Refresh.Event) -> Void) {
        self.session = session
        self.keeper = keeper
        self.report = report
    }

    /// Until the task is cancelled.
    package func run() async {
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
            let wishes = try session.wishes()
            return turns.withLock { $0.take(wishes, at: .now) }
        } catch {
            report(.noted("\(error)"))
            return []
        }
    }

    private func fetch(_ days: Set<Day>) async {
        var arrived: Set<Day> = []
        do {
            for try await event in session.refresh().start(.days(days)).events {
                report(event)
                guard case .mirrored(let day, _, _, _) = event else { continue }
                arrived = await welcome(arrived.union([day]))
            }
        } catch {
            report(.noted("\(error)"))
        }
        if !arrived.isEmpty { _ = await welcome(arrived) }
        turns.withLock { $0.end(days, at: .now) }
        // Others may have waited for their turn.
        keeper.remind()
    }

    /// Returns those that are to be welcomed once more.
    private func welcome(_ days: Set<Day>) async -> Set<Day> {
        do throws(ArchiveError) {
            try await keeper.welcome(days)
            return []
        } catch {
            report(.noted("\(error)"))
            return days
        }
    }
}
