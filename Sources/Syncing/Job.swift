package import Apod
package import Archive
package import Thumbnails

/// A command's work on the mirror, done by the running service or, without one, in its own process.
package enum Job: Sendable, Equatable {
    case sync(SyncOrder)
    /// Brings back the version that was replaced last.
    case revert(Day)
    /// Deletes what `keep` and `max-total` do not allow, however much it is.
    case prune
    case favorites(FavoritesOrder)
    /// Fetches missing and damaged files again. `entering`: days of the tree to enter in the catalog, or whose sidecars
    /// are to be made again.
    case repair(Set<Day>, entering: Set<Day>)
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

    package var fetches: Bool {
        switch self {
        case .sync, .repair: true
        case .revert, .prune, .favorites, .remember, .thumbnails: false
        }
    }
}

/// A message about a job to the command that asked for it.
package enum Message: Sendable, Equatable {
    package enum Change: String, Sendable { case made, removed }

    /// A favorite's link was made or removed. `link`: its path below the favorites folder.
    case changed(Change, Day, link: String?)
    case said(String)
    case warned(String)
    /// Something could not be done.
    case complained(String)
    /// Begins a refresh, or continues one that has not ended. `named`: days asked for by date.
    case refreshBegan(named: Set<Day>)
    case event(RefreshEvent)
    /// The bytes of files that have come since `refreshBegan`.
    case received(Int)
    /// Why an answer is late; nil once it has come or is given up.
    case delayed(Failure?)
    /// The failure is what ended the refresh early.
    case refreshEnded(Failure?)
    /// `count`: how many pictures get thumbnails.
    case thumbnailsBegan(count: Int)
    case thumbnail(Thumbnail)
}

package typealias MessageHandler = @Sendable (Message) -> Void
