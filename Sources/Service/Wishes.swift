internal import Apod
internal import Archive
package import Favorites

/// Fetches the favorites that are not here yet.
package struct Wishes: Sendable {
    private let session: Session
    private let keeper: Keeper
    private let now: @Sendable () -> Int
    private let report: @Sendable (Refresh.Event) -> Void

    /// A day that is not published yet, or an upstream that does not answer, is asked again so much later.
    private static let pause = 3600
    /// All favorites are looked through: while one comes after the other, not after each.
    private static let breath = Duration.seconds(1)

    package init(
        _ session: Session, _ keeper: Keeper, now: @escaping @Sendable () -> Int,
        report: @escaping @Sendable (Refresh.Event) -> Void
    ) {
        self.session = session
        self.keeper = keeper
        self.now = now
        self.report = report
    }

    /// Until the task is cancelled.
    package func run() async {
        await withTaskGroup { group in
            group.addTask { await answer() }
            // Nobody rings when it is time to ask again.
            while (try? await Task.sleep(for: .seconds(Self.pause))) != nil { keeper.remind() }
        }
    }

    private func answer() async {
        var later: [Day: Int] = [:]
        for await _ in keeper.changes {
            let moment = now()
            let pending = (try? session.archive.catalog.pending()) ?? [:]
            let due = pending.filter { $0.value <= moment && later[$0.key] ?? 0 <= moment }.map(\.key)
            for day in due { later[day] = moment + Self.pause }
            if !due.isEmpty { await fetch(Set(due)) }
            try? await Task.sleep(for: Self.breath)
        }
    }

    private func fetch(_ days: Set<Day>) async {
        var arrived: Set<Day> = []
        let running = session.refresh().start(.days(days))
        do {
            for try await event in running.events {
                report(event)
                if case .mirrored(let day, _, _, _) = event { arrived.insert(day) }
            }
        } catch {
            report(.noted("\(error)"))
        }
        if !arrived.isEmpty { try? await keeper.welcome(arrived) }
    }
}
