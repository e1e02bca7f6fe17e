package import Apod
internal import Catalog
package import Syncing

/// What a command asks of the service: one line, one JSON object.
package enum ControlRequest: Sendable, Equatable {
    case status
    /// For those who may not use the catalog themselves. `mark`: shows that they may read in the root (`Archive.mark`).
    case read(Query, mark: String)
    case sync(SyncOrder)
    /// To delete at once what is not to be kept.
    case prune
    case favorites(FavoritesOrder)
    /// To fetch again what is damaged or missing of some days, and to learn of others that are in the tree.
    case repair(Set<Day>, entering: Set<Day>)

    /// Of the words that both sides use. Another one cannot be spoken with.
    static let version = 1

    enum Failure: Error, Equatable {
        case nonsense
        /// The other side is another version of this program.
        case otherVersion
    }
}

extension ControlRequest {
    /// Nothing changes by it.
    package var isReading: Bool {
        switch self {
        case .status, .read: true
        default: false
        }
    }

    package var json: JSON {
        let words: [(String, JSON)] =
            switch self {
            case .status: [("do", .string("status"))]
            case .read(let reading, let mark): [("do", .string("read")), ("mark", .string(mark))] + reading.json
            case .sync(let order):
                [
                    ("do", .string("sync")), ("days", .days(order.days)),
                    ("since", .optional(order.since?.description)), ("until", .optional(order.until?.description)),
                ]
            case .prune: [("do", .string("prune"))]
            // An older service does not take these two for another order.
            case .favorites(let order) where order.since != nil:
                [("do", .string("restore")), ("since", .optional(order.since))]
            case .favorites(let order) where !order.links.isEmpty:
                [
                    ("do", .string("remove")), ("days", .days(order.days)),
                    ("links", .array(order.links.sorted { $0.description < $1.description }.map(\.json))),
                ]
            case .favorites(let order):
                [
                    ("do", .string("favorites")), ("action", .string(order.action.rawValue)),
                    ("days", .days(order.days)),
                ]
            case .repair(let days, let entering):
                [("do", .string("repair")), ("days", .days(days)), ("entering", .days(entering))]
            }
        return .object([("version", .integer(Self.version))] + words)
    }

    var line: [UInt8] { json.compact + [UInt8(ascii: "\n")] }

    init(_ line: [UInt8]) throws(Failure) {
        guard let members = (try? JSONText(line))?.members else { throw .nonsense }
        guard members["version"]?.integer == Self.version else { throw .otherVersion }
        guard let request = Self(members) else { throw .nonsense }
        self = request
    }

    private init?(_ members: [String: JSONText]) {
        switch members["do"]?.string {
        case "status": self = .status
        case "read":
            guard let reading = Query(members), let mark = members["mark"]?.string else { return nil }
            self = .read(reading, mark: mark)
        case "sync":
            guard let days = members["days"]?.days, let since = Day.optional(members["since"]),
                let until = Day.optional(members["until"])
            else { return nil }
            self = .sync(SyncOrder(days: days, since: since, until: until))
        case "prune": self = .prune
        case "favorites":
            guard let days = members["days"]?.days,
                let action = members["action"]?.string.flatMap(FavoritesOrder.Action.init)
            else { return nil }
            self = .favorites(FavoritesOrder(action, days))
        case "restore":
            guard let since = members["since"]?.integer else { return nil }
            self = .favorites(FavoritesOrder(.restore, [], since: since))
        case "remove":
            guard let days = members["days"]?.days, let links = members["links"]?.elements else { return nil }
            let places = links.compactMap(Place.init)
            guard places.count == links.count, !places.isEmpty else { return nil }
            self = .favorites(FavoritesOrder(.remove, days, links: Set(places)))
        case "repair":
            guard let days = members["days"]?.days, let entering = members["entering"]?.days else { return nil }
            self = .repair(days, entering: entering)
        default: return nil
        }
    }
}

extension Day {
    /// nil in nil for what is left open, nil for what is no day.
    fileprivate static func optional(_ text: JSONText?) -> Day?? {
        guard let text, !text.isNull else { return .some(nil) }
        return text.string.flatMap { Day($0) }.map(Optional.some)
    }
}
