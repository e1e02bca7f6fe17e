internal import Archive
internal import Catalog
internal import Concurrency
internal import Control
internal import Favorites
internal import Files
internal import Syncing

/// The parts of the service, for as long as the mirror is open, and what wakes which.
struct ServiceGroup: Sendable {
    private let context: ServiceContext
    private let favoritesService: FavoritesService
    private let pendingFavorites: PendingFavorites
    private let dailyRefresh: DailyRefresh
    private let backfill: Backfill
    private let pruner: Pruner
    private let thumbnailService: ThumbnailService
    private let galleryUpdates: GalleryUpdates
    private let requestHandler: RequestHandler
    private let statusUpdates: StatusUpdates
    private let control: ControlServer

    /// `report` receives the events of `favoritesService`, except `settled`.
    init(
        _ context: ServiceContext, serving control: ControlServer, _ web: ControlServer,
        _ report: @escaping @Sendable (FavoritesService.Event) -> Void
    ) {
        let mirror = context.mirror
        let (gaps, gap) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (pruneOccasions, pruneOccasion) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.context = context
        self.control = control
        favoritesService = mirror.favoritesService { event in
            if case .settled = event {
                context.statusChanges.signal()
                return context.shownDays.signal()
            }
            report(event)
            if case .known = event { pruneOccasion.yield() }
        }
        pendingFavorites = PendingFavorites(context: context, favoritesService: favoritesService)
        dailyRefresh = DailyRefresh(context: context, jitter: .random(in: 0...RefreshSchedule.mostJitter)) {
            [favoritesService] in
            gap.yield()
            pruneOccasion.yield()
            favoritesService.look()
        }
        backfill = Backfill(context: context, occasions: gaps) { pruneOccasion.yield() }
        thumbnailService = ThumbnailService(context: context)
        pruner = Pruner(context: context, favoritesService: favoritesService, occasions: pruneOccasions)
        galleryUpdates = GalleryUpdates(context: context)
        statusUpdates = StatusUpdates(context: context, control: control)
        let host = ServiceHost(context: context, favoritesService: favoritesService) { pruneOccasion.yield() }
        requestHandler = RequestHandler(host, control, web)
    }

    /// For the watchdog: whether the catalog, the favorites, the socket and the refreshes get on.
    var questions: [Watchdog.Question] {
        let catalog = context.mirror.archive.catalog
        return [
            { _ = await blocking { try? catalog.fact(.since) } },
            { await favoritesService.answer() },
            { await control.answer() },
            { await context.untilNotStuck() },
        ]
    }

    /// Runs until the task is cancelled. Throws an error that only opening the mirror again mends.
    func run() async throws(ArchiveError) {
        // Commands must reach a service that says it is up. An error returns, and is told, in `requestHandler.run`.
        try? await requestHandler.open()
        let supervisor = Supervisor(
            time: context.time, activity: context.activity, tell: context.tell, settings: context.mirror.settings)
        let failure = await supervisor.run([
            NamedService(.favorites) { try await favoritesService.run() },
            NamedService(.pendingFavorites) { try await pendingFavorites.run() },
            NamedService(.refresh) { try await dailyRefresh.run() },
            NamedService(.backfill) { try await backfill.run() },
            NamedService(.retention) { try await pruner.run() },
            NamedService(.thumbnails) {
                try await waitForFavorites()
                try await thumbnailService.run()
            },
            NamedService(.gallery) {
                try await waitForFavorites()
                try await galleryUpdates.run()
            },
            NamedService(.status) {
                try await waitForFavorites()
                try await statusUpdates.run()
            },
            NamedService(.control) { try await requestHandler.run() },
        ])
        // The mirror stays open until no job is taken any more.
        await requestHandler.close()
        if let failure { throw failure }
    }

    /// Waits for the first look at the favorites, at most 10 s: parts that read much must not delay it.
    private func waitForFavorites() async throws(CancellationError) {
        for _ in 0..<500 where !favoritesService.knowsFavorites { try await sleep(for: .milliseconds(20)) }
    }
}
