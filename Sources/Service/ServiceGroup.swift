import Favorites
import Files
import Store
import Syncing

/// The parts of the service, for as long as the mirror is open, and what wakes which.
struct ServiceGroup: Sendable {
    private let parts: ServiceParts
    /// Rings when there may be days to fill in.
    private let gaps: Doorbell
    /// Rings when there may be more files, and when the favorites are known.
    private let mayPrune: Doorbell
    private let requestHandler: RequestHandler
    private let statusUpdates: StatusUpdates
    private let control: ControlServer
    private let webServer: [String]

    /// `webServer`: the program that answers the web; empty for none. `report` receives the events of the favorites.
    init(
        _ context: ServiceContext, serving control: ControlServer, _ web: ControlServer, _ webServer: [String],
        _ report: @escaping EventHandler
    ) {
        (self.control, self.webServer) = (control, webServer)
        let (gaps, mayPrune) = (Doorbell(), Doorbell())
        let parts = ServiceParts(context, pruneSoon: mayPrune.ring) { event in
            report(event)
            if case .favoritesKnown = event { mayPrune.ring() }
        }
        self.parts = parts
        (self.gaps, self.mayPrune) = (gaps, mayPrune)
        statusUpdates = StatusUpdates(context: context, control: control)
        requestHandler = RequestHandler(parts, control, web)
    }

    private var context: ServiceContext { parts.context }

    /// For the watchdog: whether the catalog, the favorites, the socket and the refreshes get on.
    var questions: [Watchdog.Probe] {
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
        let pendingFavorites = PendingFavorites(context, parts.favorites)
        let dailyRefresh = DailyRefresh(context, jitter: .random(in: 0...RefreshSchedule.mostJitter)) {
            gaps.ring()
            mayPrune.ring()
        }
        let backfill = Backfill(context, mayPrune.ring)
        let (lists, pruner) = (ListService(context), Pruner(context, parts.favorites))
        let failure = await Queue(context: context).run([
            Work(.favorites, lasting: parts.favorites.run),
            Work(.pendingFavorites, asks: true, bell: parts.favorites.changes) { try await pendingFavorites.round() },
            Work(.refresh, asks: true) { try await dailyRefresh.round() },
            Work(.backfill, asks: true, bell: gaps) { try await backfill.round() },
            Work(.lists, asks: true) { try await lists.round() },
            Work(.retention, bell: mayPrune) {
                try await pruner.round()
                return nil
            },
            Work(.thumbnails, lasting: afterFavorites(parts.thumbnails.run)),
            Work(.gallery, lasting: afterFavorites(parts.gallery.run)),
            Work(.folders, bell: parts.favorites.asked) {
                let hasEnded = try await blocking { [mirror = context.mirror] in try mirror.settleLists() }
                if hasEnded { parts.favorites.lookEverywhere() }
                return try await parts.gallery.fill()
            },
            Work(.frame, bell: parts.gallery.frameBell) {
                try await parts.gallery.fillFrame()
                return nil
            },
            Work(.status, lasting: afterFavorites(statusUpdates.run)),
            Work(.control, lasting: requestHandler.run),
            Work(.web, lasting: requestHandler.openToWeb),
            Work(.listen, lasting: { if !webServer.isEmpty { try await WebServer(webServer).run() } }),
        ])
        // The mirror stays open until no job is taken any more.
        await requestHandler.close()
        if let failure { throw failure }
    }

    /// Waits for the first look at the favorites, at most 10 s, and works: what reads much must not delay that look.
    private func afterFavorites(
        _ run: @escaping @Sendable () async throws -> Void
    ) -> @Sendable () async throws -> Void {
        { [favorites = parts.favorites] in
            for _ in 0..<500 where !favorites.knowsFavorites { try await sleep(for: .milliseconds(20)) }
            try await run()
        }
    }
}
