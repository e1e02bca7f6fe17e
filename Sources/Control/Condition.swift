package import Apod
package import Archive
package import Catalog
package import Favorites
package import Syncing

/// Something that is wrong, or that waits for a person. `status` tells of each in words, with what to do, and
/// `status --json` by its code.
package enum Condition: Sendable {
    /// The service waits until the mirror can be opened.
    case waiting(Failure)
    /// New settings have mistakes, so the service keeps the old ones.
    case settings(String)
    /// Parts of the service failed, and try again.
    case trouble([ServicePart], Activity.Trouble)
    /// The last refresh for all new days did not finish.
    case unfinished(LastFailure)
    /// Thumbnails are wanted, and nothing is installed that makes them.
    case noThumbnailer
    /// There is no favorites folder that can be read.
    case folderLost(FavoritesLack, hasFavorites: Bool)
    /// The favorites folder is looked at from time to time, as inotify cannot be used.
    case polling(String, limit: String?)
    /// Many links were deleted at about the same time.
    case ended(LinkLoss)
    /// Retention would delete so many pictures that it waits for `apod-mirror prune`.
    case held(PruneHold)
    /// How many files `verify` found damaged or missing, and when.
    case damaged(Int, at: Int)
    /// Days that could not be fetched, or are incomplete, for one reason at one server; newest first.
    case failed([Day], Failure, isIncomplete: Bool)
    /// A favorite whose picture is not here.
    case pending(PendingFavorite)
    /// Links and copies in an album stay as they are, as the service can change nothing there; with the errno(3).
    case unwritable(Album, Int32)
    /// A picture of which no thumbnails can be made.
    case undecodable(Day, String)
    /// Paths, below the root, where other things stand in the mirror's way.
    case nameTaken([String])
    /// Something in the favorites folder that is left alone.
    case unrecognised(Place, UnrecognisedReason)
    /// What NASA replaced lately.
    case replaced(Replacement)
}

extension Condition {
    package var code: String {
        switch self {
        case .waiting: "waiting"
        case .settings: "settings"
        case .trouble: "trouble"
        case .unfinished: "unfinished"
        case .noThumbnailer: "no-thumbnailer"
        case .folderLost: "folder-lost"
        case .polling: "polling"
        case .ended: "ended"
        case .held: "held"
        case .damaged: "damaged"
        case .failed(_, _, let isIncomplete): isIncomplete ? "incomplete" : "failed"
        case .pending: "pending"
        case .unwritable: "unwritable"
        case .undecodable: "undecodable"
        case .nameTaken: "name-taken"
        case .unrecognised: "unrecognised"
        case .replaced: "replaced"
        }
    }

    /// The conditions that end when the service stops.
    package static let codesOfService: Set<String> = ["waiting", "settings", "trouble", "polling"]

    /// The conditions that may keep new days away.
    package static let codesOfOutage: Set<String> = ["waiting", "trouble", "unfinished"]

    package var json: JSON { .object([("code", .string(code))] + data) }

    private var data: [(String, JSON)] {
        switch self {
        case .settings(let words): [("reason", .string(words))]
        case .polling(let words, let limit): [("reason", .string(words)), ("limit", .optional(limit))]
        case .waiting(let failure): [("failure", failure.json)]
        case .trouble(let parts, let trouble):
            [
                ("parts", .strings(parts.map(\.rawValue))), ("failure", trouble.failure.json),
                ("retry", .moment(trouble.retry)),
            ]
        case .unfinished(let last): [("failure", last.failure.json), ("at", .moment(last.moment))]
        case .noThumbnailer: []
        case .folderLost(let lack, _): lack.members
        case .ended(let loss): [("count", .integer(loss.links)), ("since", .moment(loss.since))]
        case .held(let hold): hold.members
        case .damaged(let count, let moment): [("count", .integer(count)), ("found", .moment(moment))]
        case .failed(let days, let failure, _): [("dates", .days(days)), ("failure", failure.json)]
        case .pending(let pending): [("date", .day(pending.day)), ("reason", .string(pending.words))]
        case .unwritable(let album, let number):
            [("album", .string(String(decoding: album.path, as: UTF8.self))), ("error", .integer(Int(number)))]
        case .undecodable(let day, let why): [("date", .day(day)), ("reason", .string(why))]
        case .nameTaken(let paths): [("paths", .strings(paths))]
        case .unrecognised(let place, let why): [("link", .string("\(place)")), ("reason", .string(why.rawValue))]
        case .replaced(let replacement):
            [
                ("date", .day(replacement.day)), ("replaced", .moment(replacement.moment)),
                ("smaller", .bool(replacement.isMuchSmaller)),
            ]
        }
    }
}
