package import Apod
internal import Archive
package import Catalog
package import Concurrency
package import Files
package import Syncing

/// Where a job is done: in the service, or in the process of the command that wants it.
package protocol JobHost: Sendable {
    var mirror: OpenMirror { get }
    /// It has read its settings itself, and goes on when the job is done.
    var isService: Bool { get }
    /// Who asks for days that are not here, in words.
    var asker: String { get }
    /// Whoever wants to make thumbnails.
    var thumbnailQueue: AsyncSemaphore { get }

    /// Works off a refresh. Returns what kept it from its end; throws what keeps all else from being done, too.
    func follow(
        _ request: RefreshRequest, with refresh: Refresh, _ report: @escaping @Sendable (RefreshEvent) -> Void
    ) async throws(StorageError) -> Failure?

    /// Returns when what is done in the favorites folder is remembered.
    func changeFavorites(
        _ work: @escaping @Sendable () throws(StorageError) -> Set<Place>
    ) async throws(StorageError)

    /// Has links lead to what has come.
    func settleFavorites() async

    /// They are to be made, also if the job ends before.
    func lackThumbnails(_ days: Set<Day>)

    /// The gallery has them to show.
    func madeThumbnails(of day: Day)

    /// What was deleted, and what is to be.
    func took(_ round: PruneRound)
}
