package import Apod
package import Archive

/// What a command has done with the mirror: by the service that runs or, without one, in its own process.
package enum Job: Sendable, Equatable {
    case sync(SyncOrder)
    /// To bring back what was replaced last.
    case revert(Day)
    /// To delete at once what is not to be kept.
    case prune
    case favorites(FavoritesOrder)
    /// To fetch again what is damaged or missing of some days, and to learn of others that are in the tree.
    case repair(Set<Day>, entering: Set<Day>)
    /// To remember what was found when all files were checked.
    case remember(VerifyFindings)
    /// To make the thumbnails of these days or, if there are none, all that are missing.
    case thumbnails(Set<Day>)

    /// Done in a moment, and never left half done.
    package var isBrief: Bool {
        switch self {
        case .favorites, .remember: true
        case .sync, .revert, .prune, .repair, .thumbnails: false
        }
    }

    package var fetches: Bool {
        switch self {
        case .sync, .repair: true
        case .revert, .prune, .favorites, .remember, .thumbnails: false
        }
    }
}
