internal import Apod
internal import Catalog
internal import Files
internal import Watching

/// What is to be done, and what was seen on the way, for as long as the service runs.
///
/// `Reconciler` fills it when it notes what it sees, and settling empties it, where nothing else is said.
struct ReconcilerState {
    /// Where there may be something to put in order.
    var work = DirtyPaths.none
    /// Files that somebody may still be writing, as they were when they were last looked at.
    var growing: [Place: File.Facts] = [:]
    /// Links that are not there, or lead elsewhere now, and since when: they may come back. What stays away is gone
    /// (`Reconciler+Removing`).
    var missing: [Link: ContinuousClock.Instant] = [:]
    /// How many links have come to a day since there were none of these.
    var newLinks: [Day: Int] = [:]
    /// When the last link went that has gone for good.
    var lastRemoval: ContinuousClock.Instant?
    /// Links that were made again (`FavoritesEditor+Restoring`), of which the catalog does not know yet.
    var restored: [Link] = []
    /// Where somebody has asked for links to be taken away (`FavoritesEditor`): what goes there is meant to.
    var ordered: Set<Place> = []
    /// What could not be brought to the disk (`Reconciler+Unsynced`); the next look at everything empties it.
    var unsynced = Unsynced()
    /// So many have vanished, and nobody was told: empty again when `takeVanished` has told.
    var vanished = 0
    /// What had to stay as it is, and what was told of it last (`Reconciler+Unwritable`).
    var unwritable = Unwritable()
    var toldUnwritable: String?
    /// There is more that is not recognised than can be listed.
    var isCrowded = false
    var hasScanned = false
    /// The last run may have left favorites without links, and a list of favorites that is old.
    var isCaughtUp = false
    var isListOld = true
}
