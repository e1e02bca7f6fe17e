import Favorites
import Files
import Store
import Syncing

/// The parts of the service that a job leaves work to, and what they share: all that changes a mirror works with them.
///
/// A part works in rounds. In the service (`ServiceGroup`), each begins a round when something wakes it, for as long as
/// the mirror is open. A command without a service (`OwnService`) has the same parts in its own process, and each does
/// one round after the job. `JobRunner` does the job itself, in both.
struct ServiceParts: Sendable {
    let context: ServiceContext
    let favorites: FavoritesService
    let thumbnails: ThumbnailService
    let gallery: GalleryUpdates
    /// Called when there may be more to delete.
    let pruneSoon: @Sendable () -> Void

    /// Must be made before anything changes. `report` receives the events of `favorites`.
    init(
        _ context: ServiceContext, pruneSoon: @escaping @Sendable () -> Void = {},
        _ report: @escaping EventHandler
    ) {
        self.context = context
        self.pruneSoon = pruneSoon
        favorites = context.mirror.favoritesService { event in
            guard case .favoritesSettled = event else { return report(event) }
            context.statusChanges.signal()
            context.shown.signal()
        }
        thumbnails = ThumbnailService(context: context)
        gallery = GalleryUpdates(context: context, asked: favorites.asked)
    }
}
