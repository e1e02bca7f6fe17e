import Archive
import Catalog
import Concurrency
import Control
import Favorites
import Files
import Syncing

/// The parts of the service, for as long as the mirror is open, and what wakes which.
struct ServiceGroup: Sendable {
    private let parts: ServiceParts
    private let pendingFavorites: PendingFavorites
    private let dailyRefresh: DailyRefresh
    private let backfill: Backfill
    private let pruner: Pruner
    private let requestHandler: RequestHandler
    private let statusUpdates: StatusUpdates
    private let control: ControlServer
    private let webServer: [String]

    /// `webServer`: the program that answers the web; empty for none. `report` receives the events of the favorites, except
    /// `settled`.
    init(
        _ context: ServiceContext, serving control: ControlServer, _ web: ControlServer, _ webServer: [String],
        _ report: @escaping @Sendable (FavoritesService.Event) -> Void
    ) {
        let (gaps, gap) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (pruneOccasions, pruneOccasion) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        (self.control, self.webServer) = (control, webServer)
        let pruneSoon = { @Sendable in _ = pruneOccasion.yield() }
        let parts = ServiceParts(context, pruneSoon: pruneSoon) { event in
            report(event)
            if case .known = event { pruneSoon() }
        }
        self.parts = parts
        pendingFavorites = PendingFavorites(context: context, favoritesService: parts.favorites)
        dailyRefresh = DailyRefresh(context: context, jitter: .random(in: 0...RefreshSchedule.mostJitter)) {
            gap.yield()
            pruneSoon()
            parts.favorites.lookEverywhere()
        }
        backfill = Backfill(context: context, occasions: gaps, filled: pruneSoon)
        pruner = Pruner(
            context: context, favoritesService: parts.favorites, occasions: pruneOccasions)
        statusUpdates = StatusUpdates(context: context, control: control)
        requestHandler = RequestHandler(parts, control, web)
    }

    private var context: ServiceContext { parts.context }

    /// For the watchdog: whether the catalog, the favorites, the socket and the refreshes get on.
    var questions: [Watchdog.Question] {
        let catalog = context.mirror.archive.catalog
        return [
            { _ = await blocking { try? catalog.fact(.since) } },
            { await parts.favorites.answer() },
            { await control.answer() },
            { await context.untilNotStuck() },
        ]
    }

    /// Runs until the task is cancelled. Throws an error that only opening the mirror again mends.
    func run() async throws {
        // Commands must reach a service that says it is up. An error returns, and is told, in `requestHandler.run`.
        try? await requestHandler.open()
        let supervisor = Supervisor(
            time: context.time, activity: context.activity, tell: context.tell, settings: context.mirror.settings)
        let failure = await supervisor.run([
            NamedService(.favorites) { try await parts.favorites.run() },
            NamedService(.pendingFavorites) { try await pendingFavorites.run() },
            NamedService(.refresh) { try await dailyRefresh.run() },
            NamedService(.backfill) { try await backfill.run() },
            NamedService(.lists) { try await ListService(context: context).run() },
            NamedService(.retention) { try await pruner.run() },
            NamedService(.thumbnails) {
                try await waitForFavorites()
                try await parts.thumbnails.run()
            },
            NamedService(.gallery) {
                try await waitForFavorites()
                try await parts.gallery.run()
            },
            NamedService(.status) {
                try await waitForFavorites()
                try await statusUpdates.run()
            },
            NamedService(.control) { try await requestHandler.run() },
            NamedService(.web) { try await requestHandler.openToWeb() },
            NamedService(.listen) { if !webServer.isEmpty { try await WebServer(webServer).run() } },
        ])
        // The mirror stays open until no job is taken any more.
        await requestHandler.close()
        if let failure { throw failure }
    }

    /// Waits for the first look at the favorites, at most 10 s: parts that read much must not delay it.
    private func waitForFavorites() async throws(CancellationError) {
        for _ in 0..<500 where !parts.favorites.knowsFavorites { try await sleep(for: .milliseconds(20)) }
    }
}
