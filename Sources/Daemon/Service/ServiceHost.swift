internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Favorites
internal import Files
internal import Syncing

/// Runs jobs in the service, whose other parts do what a command without a service does at its end.
struct ServiceHost: JobHost {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// Wakes `Pruner`.
    let pruneSoon: @Sendable () -> Void

    /// The end of a job that the service cancelled, not the command.
    static let stopped =
        "the service was stopped or has new settings; the same command goes on from here when it is back"

    var mirror: OpenMirror { context.mirror }
    var thumbnailQueue: AsyncSemaphore { context.thumbnailQueue }

    func follow(
        _ request: RefreshRequest, with refresh: Refresh, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(StorageError) -> Failure? {
        let error = try await context.priorityGate.urgently { () async throws(StorageError) in
            try await context.follow(request, with: refresh, report)
        }
        return Task.isCancelled ? Failure(.other, Self.stopped) : error?.failure
    }

    func changeFavorites(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError) {
        try await favoritesService.carryOut(work)
    }

    func settleFavorites() async {}

    func madeThumbnails(of day: Day) {
        context.shownDays.add([day])
        context.changedPictures.add([day])
    }

    func didPrune(_ round: PruneRound) {
        for notice in round.notices { context.tell(notice) }
        pruneSoon()
    }
}
