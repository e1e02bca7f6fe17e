package import Apod
package import Favorites
package import Store
package import Syncing

/// Something that is wrong, or that waits for a person. `status` tells of each in words, with what to do, and
/// `status --json` by its code and these names.
package enum Condition: Sendable, Equatable, JSONTagged {
    /// The service waits until the mirror can be opened.
    case waiting(failure: Problem)
    /// New settings have mistakes, so the service keeps the old ones.
    case settings(reason: String)
    /// Parts of the service failed, and try again.
    case trouble(parts: [ServicePart], failure: Problem, retry: Moment)
    /// The last refresh for all new days did not finish.
    case unfinished(LastFailure)
    /// Thumbnails, or pictures in `frame`, are wanted, and nothing is installed that makes them.
    case noThumbnailer
    /// There is no favorites folder that can be read. That ends no favorite.
    case folderLost(failure: Problem)
    /// The favorites folder is looked at from time to time, as inotify cannot be used.
    case polling(failure: Problem)
    /// Many links were deleted at about the same time.
    case ended(LinkLoss)
    /// Retention would delete so many pictures that it waits for `apod-mirror prune`.
    case held(PruneHold)
    /// All that may go would not reach `max-total`, so nothing goes by it. `total`: what there is.
    case outOfReach(maxTotal: Int, total: Int)
    /// What `verify` found.
    case damaged(VerifyFindings)
    /// Days that could not be fetched, or lack something, for one reason at one server; newest first.
    case failed(dates: [Day], failure: Problem)
    case incomplete(dates: [Day], failure: Problem)
    /// Another list that has not come for days, and why.
    case listSilent(list: ListName, since: Moment, failure: Problem)
    /// A favorite whose picture is not here.
    case pending(PendingFavorite)
    /// Links and copies in an album stay as they are, as the service can change nothing there; with the errno(3).
    case unwritable(album: String, error: Int)
    /// A picture of which no thumbnails can be made.
    case undecodable(date: Day, reason: String)
    /// Paths, below the root, of files that would be deleted, but were changed by a person.
    case edited(paths: [String])
    /// Paths, below the root, where other things stand in the mirror's way.
    case nameTaken(paths: [String])
    /// Something in the favorites folder that is left alone.
    case unrecognised(link: Place, reason: UnrecognisedReason)
    /// What NASA replaced lately, a file or texts alone, and when. `role`: the file's, or `text`.
    case replaced(date: Day, replaced: Moment, role: String, text: Bool, smaller: Bool)

    /// Whether it ends when the service stops.
    var endsWithService: Bool {
        switch self {
        case .waiting, .settings, .trouble, .polling: true
        default: false
        }
    }

    /// Whether it may keep new days away.
    package var isOutage: Bool {
        switch self {
        case .waiting, .trouble, .unfinished: true
        default: false
        }
    }
}
