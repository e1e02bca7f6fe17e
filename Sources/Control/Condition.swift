package import Apod
package import Archive
package import Catalog
package import Favorites
package import Syncing

/// Something that is not as it should be, or that waits for a person. `status` tells of each in words, with what to do;
/// `status --json` lists them by their codes.
package enum Condition: Sendable {
    /// The service waits until the mirror can be opened.
    case waiting(Failure)
    /// The service goes by what it read before, as its settings have mistakes now.
    case settings(String)
    /// Parts of the service failed, and try again.
    case trouble([ServicePart], Activity.Trouble)
    /// The last refresh for all that is new did not come to its end.
    case unfinished(LastFailure)
    /// Thumbnails are wanted, and nothing is installed that makes them.
    case noThumbnailer
    /// What there is instead of the favorites folder.
    case folderLost(FavoritesLack, hasFavorites: Bool)
    /// The favorites folder is looked at every few seconds, as the system does not tell of changes.
    case polling(String, limit: String?)
    /// There are too many folders in favorites to watch them all.
    case unwatched(Int)
    /// Links that went together.
    case ended(LinkLoss)
    /// Pictures that are deleted when somebody says so.
    case held(PruneHold)
    /// So many files that `verify` has found damaged or missing, and when.
    case damaged(Int, at: Int)
    /// Days that could not be had, or lack something, for one reason at one server; newest first.
    case failed([Day], Failure, isIncomplete: Bool)
    /// A favorite whose picture is not here.
    case pending(PendingFavorite)
    /// A link that nobody has taken note of yet, as no service watches; the day's title.
    case unentered(Day, String)
    /// The same of one that is gone.
    case gone(Day, String)
    /// Links and copies in an album stay as they are, as the service may not write there.
    case unwritable(UnwritableAlbum)
    /// A picture of which no thumbnails can be made.
    case undecodable(Day, String)
    /// Files of the mirror's that cannot be changed; below the root.
    case immutable([String])
    /// What is not the mirror's, where it would put something; below the root.
    case nameTaken([String])
    /// Something in the favorites folder that is left alone.
    case unrecognised(Place, Stranger)
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
        case .unwatched: "unwatched"
        case .ended: "ended"
        case .held: "held"
        case .damaged: "damaged"
        case .failed(_, _, let isIncomplete): isIncomplete ? "incomplete" : "failed"
        case .pending: "pending"
        case .unentered: "unentered"
        case .gone: "gone"
        case .unwritable: "unwritable"
        case .undecodable: "undecodable"
        case .immutable: "immutable"
        case .nameTaken: "name-taken"
        case .unrecognised: "unrecognised"
        case .replaced: "replaced"
        }
    }

    /// Those that only a service that runs can have.
    package static let codesOfService: Set<String> = ["waiting", "settings", "trouble", "polling", "unwatched"]

    package var json: JSON { .object([("code", .string(code))] + data) }

    private var data: [(String, JSON)] {
        switch self {
        case .settings(let words): [("reason", .string(words))]
        case .polling(let words, let limit): [("reason", .string(words)), ("limit", .optional(limit))]
        case .waiting(let failure): [("failure", failure.json)]
        case .trouble(let parts, let trouble):
            [
                ("parts", .array(parts.map { .string($0.rawValue) })), ("failure", trouble.failure.json),
                ("retry", .string(Time.text(trouble.retry))),
            ]
        case .unfinished(let last): [("failure", last.failure.json), ("at", .string(Time.text(last.moment)))]
        case .noThumbnailer: []
        case .folderLost(let lack, _): [("folder", .string(lack.rawValue))]
        case .unwatched(let count): [("count", .integer(count))]
        case .ended(let loss): [("count", .integer(loss.links)), ("since", .string(Time.text(loss.since)))]
        case .held(let hold): hold.members
        case .damaged(let count, let moment): [("count", .integer(count)), ("found", .string(Time.text(moment)))]
        case .failed(let days, let failure, _): [("dates", .days(days)), ("failure", failure.json)]
        case .pending(let pending): [("date", .string("\(pending.day)")), ("reason", .string(pending.words))]
        case .unentered(let day, _), .gone(let day, _): [("date", .string("\(day)"))]
        case .unwritable(let album): album.members
        case .undecodable(let day, let why): [("date", .string("\(day)")), ("reason", .string(why))]
        case .immutable(let paths), .nameTaken(let paths): [("paths", .array(paths.map(JSON.string)))]
        case .unrecognised(let place, let why): [("link", .string("\(place)")), ("reason", .string(why.rawValue))]
        case .replaced(let replacement):
            [
                ("date", .string("\(replacement.day)")), ("replaced", .string(Time.text(replacement.moment))),
                ("smaller", .bool(replacement.isMuchSmaller)),
            ]
        }
    }
}
