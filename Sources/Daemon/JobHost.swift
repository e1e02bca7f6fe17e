package import Apod
package import Archive
internal import Catalog
package import Concurrency
package import Files
package import Syncing

/// Where a job runs: in the service (`ServiceHost`), or in the command's own process.
package protocol JobHost: Sendable {
    var mirror: OpenMirror { get }
    /// Held while thumbnails are made.
    var thumbnailQueue: AsyncSemaphore { get }

    /// Runs a refresh. Returns why it did not finish; throws an error that ends the whole job.
    func follow(
        _ request: RefreshRequest, with refresh: Refresh, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(StorageError) -> Failure?

    /// Does work in the favorites folder, and returns when the catalog knows of it.
    func changeFavorites(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError)

    /// Leads links to the days that have come.
    func settleFavorites() async

    /// Has the gallery show a day's new thumbnails.
    func madeThumbnails(of day: Day)

    /// Called after a round of retention.
    func didPrune(_ round: PruneRound)
}
