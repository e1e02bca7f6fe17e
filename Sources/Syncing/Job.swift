package import Apod
package import Store

/// A command's work on the mirror, done by the running service or, without one, in its own process.
package enum Job: Sendable, Equatable, Codable {
    case sync(SyncOrder)
    /// Brings back the version that was replaced last.
    case revert(Day)
    /// Deletes what `keep` and `max-total` do not allow, however much it is; or the pictures of a list that the settings do
    /// not name.
    case prune(ListName? = nil)
    case favorites(FavoritesOrder)
    /// Fetches missing and damaged files again: those of these days, and of all items of these lists.
    case repair(Set<Day>, lists: [ListName] = [])
    /// Stores what `verify` found.
    case remember(VerifyFindings)
    /// Makes the thumbnails of these days, or all missing ones if no day is given.
    case thumbnails(Set<Day>)

    /// The job takes only a moment, and a signal does not stop it.
    package var isBrief: Bool {
        switch self {
        case .favorites, .remember: true
        case .sync, .revert, .prune, .repair, .thumbnails: false
        }
    }

    /// False for a job about another list alone.
    package var isForDays: Bool { if case .sync(let order) = self { order.list == nil } else { true } }

    package var fetches: Bool {
        switch self {
        case .sync, .repair: true
        case .revert, .prune, .favorites, .remember, .thumbnails: false
        }
    }
}
