internal import Apod
internal import Archive
internal import Catalog
internal import Concurrency
internal import Favorites
internal import Files
internal import Syncing

/// The service as the place of a job: its other parts do at all times what a command on its own does at the end.
struct ServiceHost: JobHost {
    let context: ServiceContext
    let favoritesService: FavoritesService
    /// Has retention look at what is here.
    let pruneSoon: @Sendable () -> Void

    /// A cancelled job, in the words of those who did not cancel it.
    static let stopped =
        "the service was stopped or has new settings; the same command goes on from here when it is back"

    var mirror: OpenMirror { context.mirror }
    var thumbnailQueue: AsyncSemaphore { context.thumbnailQueue }
    let isService = true
    let asker = "the service"

    func follow(
        _ request: RefreshRequest, with refresh: Refresh, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(StorageError) -> Failure? {
        let error = try await context.priorityGate.urgently { () async throws(StorageError) in
            try await context.follow(request, with: refresh, report)
        }
        if error == nil { await context.endBackfillIfDone() }
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

    func lackThumbnails(_ days: Set<Day>) { if !days.isEmpty { context.changedPictures.add(days) } }

    func took(_ round: PruneRound) {
        for notice in round.notices { context.tell(notice) }
        pruneSoon()
    }
}
