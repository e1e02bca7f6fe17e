package import Apod
package import Archive
package import Catalog
package import Favorites
package import Syncing

/// Something that is wrong, or that waits for a person. `status` tells of each in words, with what to do, and
/// `status --json` by its code.
package enum Condition: Sendable, Equatable {
    /// The service waits until the mirror can be opened.
    case waiting(Problem)
    /// New settings have mistakes, so the service keeps the old ones.
    case settings(String)
    /// Parts of the service failed, and try again.
    case trouble([ServicePart], Activity.Trouble)
    /// The last refresh for all new days did not finish.
    case unfinished(LastFailure)
    /// Thumbnails are wanted, and nothing is installed that makes them.
    case noThumbnailer
    /// There is no favorites folder that can be read.
    case folderLost(FavoritesLack)
    /// The favorites folder is looked at from time to time, as inotify cannot be used.
    case polling(Problem)
    /// Many links were deleted at about the same time.
    case ended(LinkLoss)
    /// Retention would delete so many pictures that it waits for `apod-mirror prune`.
    case held(PruneHold)
    /// All that may go would not reach `max-total`, so nothing goes by it. `total`: what there is.
    case outOfReach(limit: Int, total: Int)
    /// How many files `verify` found damaged or missing, and when.
    case damaged(Int, at: Int)
    /// Days that could not be fetched, or are incomplete, for one reason at one server; newest first.
    case failed([Day], Problem, isIncomplete: Bool)
    /// Another list that has not come for days, and why.
    case listSilent(ListName, since: Int, Problem)
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
    /// What NASA replaced lately, a file or texts alone, and when.
    case replaced(Day, at: Int, isText: Bool, isMuchSmaller: Bool)
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
        case .outOfReach: "out-of-reach"
        case .damaged: "damaged"
        case .failed(_, _, let isIncomplete): isIncomplete ? "incomplete" : "failed"
        case .listSilent: "list-silent"
        case .pending: "pending"
        case .unwritable: "unwritable"
        case .undecodable: "undecodable"
        case .nameTaken: "name-taken"
        case .unrecognised: "unrecognised"
        case .replaced: "replaced"
        }
    }

    /// Whether the condition ends when the service stops.
    var endsWithService: Bool {
        switch self {
        case .waiting, .settings, .trouble, .polling: true
        default: false
        }
    }

    /// Whether the condition may keep new days away.
    package var isOutage: Bool {
        switch self {
        case .waiting, .trouble, .unfinished: true
        default: false
        }
    }

    package var json: JSON { .object([("code", .string(code))] + data) }

    private var data: [(String, JSON)] {
        switch self {
        case .settings(let words): [("reason", .string(words))]
        case .polling(let why):
            [
                ("reason", .string(why.reason)), ("limit", .optional(why.code == .limit ? why.path : nil)),
                ("failure", why.export),
            ]
        case .waiting(let failure): [("failure", failure.export)]
        case .trouble(let parts, let trouble):
            [
                ("parts", .strings(parts.map(\.rawValue))), ("failure", trouble.failure.export),
                ("retry", .moment(trouble.retry)),
            ]
        case .unfinished(let last): [("failure", last.failure.export), ("at", .moment(last.moment))]
        case .noThumbnailer: []
        case .folderLost(let lack): lack.members
        case .ended(let loss): [("count", .integer(loss.links)), ("since", .moment(loss.since))]
        case .held(let hold): hold.members
        case .outOfReach(let limit, let total): [("max_total", .integer(limit)), ("total", .integer(total))]
        case .damaged(let count, let moment): [("count", .integer(count)), ("found", .moment(moment))]
        case .failed(let days, let failure, _): [("dates", .days(days)), ("failure", failure.export)]
        case .listSilent(let list, let since, let failure):
            [("list", .string("\(list)")), ("since", .moment(since)), ("failure", failure.export)]
        case .pending(let pending): pending.members
        case .unwritable(let album, let number):
            [("album", .string(String(decoding: album.path, as: UTF8.self))), ("error", .integer(Int(number)))]
        case .undecodable(let day, let why): [("date", .day(day)), ("reason", .string(why))]
        case .nameTaken(let paths): [("paths", .strings(paths))]
        case .unrecognised(let place, let why): [("link", .string("\(place)")), ("reason", .string(why.rawValue))]
        case .replaced(let day, let moment, let isText, let isMuchSmaller):
            [
                ("date", .day(day)), ("replaced", .moment(moment)), ("text", .bool(isText)),
                ("smaller", .bool(isMuchSmaller)),
            ]
        }
    }

    /// nil for what is none, or another version's.
    init?(_ json: JSONText) {
        guard let members = json.members, let code = members["code"]?.string,
            let condition = Self.ofService(code, members) ?? Self.ofDay(code, members) ?? Self.ofFolder(code, json)
        else { return nil }
        self = condition
    }

    private static func ofService(_ code: String, _ members: [String: JSONText]) -> Self? {
        let (failure, reason) = (Problem(members["failure"]), members["reason"]?.string)
        switch (code, failure, reason) {
        case ("waiting", let failure?, _): return .waiting(failure)
        case ("settings", _, let reason?): return .settings(reason)
        case ("polling", let failure?, _): return .polling(failure)
        case ("trouble", let failure?, _):
            let parts = (members["parts"]?.elements ?? []).compactMap { $0.string.flatMap(ServicePart.init) }
            return members["retry"]?.moment.map { .trouble(parts, .init(failure, retry: $0)) }
        case ("unfinished", let failure?, _):
            return members["at"]?.moment.map { .unfinished(LastFailure(failure, at: $0)) }
        case ("no-thumbnailer", _, _): return .noThumbnailer
        case ("list-silent", let failure?, _):
            guard let list = members["list"]?.string.flatMap({ ListName($0) }), let since = members["since"]?.moment
            else { return nil }
            return .listSilent(list, since: since, failure)
        default: return nil
        }
    }

    private static func ofDay(_ code: String, _ members: [String: JSONText]) -> Self? {
        switch (code, members["date"]?.day, members["dates"]?.days, Problem(members["failure"])) {
        case ("failed", _, let days?, let failure?), ("incomplete", _, let days?, let failure?):
            return days.isEmpty ? nil : .failed(days.sorted(by: >), failure, isIncomplete: code == "incomplete")
        case ("undecodable", let day?, _, _): return members["reason"]?.string.map { .undecodable(day, $0) }
        case ("replaced", let day?, _, _):
            guard let moment = members["replaced"]?.moment, let isText = members["text"]?.bool,
                let isMuchSmaller = members["smaller"]?.bool
            else { return nil }
            return .replaced(day, at: moment, isText: isText, isMuchSmaller: isMuchSmaller)
        default: return nil
        }
    }

    private static func ofFolder(_ code: String, _ json: JSONText) -> Self? {
        let count = json["count"]?.integer
        switch code {
        case "pending": return PendingFavorite(json).map { .pending($0) }
        case "folder-lost": return FavoritesLack(json).map { .folderLost($0) }
        case "held": return PruneHold(json).map { .held($0) }
        case "out-of-reach":
            guard let limit = json["max_total"]?.integer, let total = json["total"]?.integer else { return nil }
            return .outOfReach(limit: limit, total: total)
        case "ended":
            guard let count, let since = json["since"]?.moment else { return nil }
            return .ended(LinkLoss(links: count, since: since))
        case "damaged":
            guard let count, let moment = json["found"]?.moment else { return nil }
            return .damaged(count, at: moment)
        case "unwritable":
            guard let album = (json["album"]?.string).flatMap({ Album(Array($0.utf8)) }),
                let number = json["error"]?.integer
            else { return nil }
            return .unwritable(album, Int32(clamping: number))
        case "name-taken": return json["paths"]?.elements.map { .nameTaken($0.compactMap(\.string)) }
        case "unrecognised":
            guard let place = (json["link"]?.string).flatMap({ Place(path: Array($0.utf8)) }),
                let reason = (json["reason"]?.string).flatMap(UnrecognisedReason.init)
            else { return nil }
            return .unrecognised(place, reason)
        default: return nil
        }
    }
}
