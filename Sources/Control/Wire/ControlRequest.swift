package import Apod
internal import Archive
package import Syncing

/// What a command asks of the service: one line, one JSON object.
package enum ControlRequest: Sendable, Equatable {
    case status
    case job(Job)

    static let version = ServiceLine.version

    enum Failure: Error, Equatable {
        case nonsense
        case otherVersion
    }
}

extension ControlRequest {
    package var json: JSON {
        switch self {
        case .status: ServiceLine.asking(for: "status")
        case .job(.sync(let order)):
            ServiceLine.asking(
                for: "sync",
                [
                    ("days", .days(order.days)), ("since", .optional(order.since?.description)),
                    ("until", .optional(order.until?.description)),
                    ("list", .optional(order.list?.description)),
                    ("settings", .object(order.settings.sorted { $0.key < $1.key }.map { ($0, .string($1)) })),
                ])
        case .job(.revert(let day)): ServiceLine.asking(for: "revert", [("day", .day(day))])
        case .job(.prune): ServiceLine.asking(for: "prune")
        case .job(.favorites(let order)): ServiceLine.asking(for: "favorites", order.members)
        case .job(.repair(let days, let lists)):
            ServiceLine.asking(for: "repair", [("days", .days(days)), ("lists", .strings(lists.map(\.description)))])
        case .job(.remember(let findings)): ServiceLine.asking(for: "remember", [("findings", findings.json)])
        case .job(.thumbnails(let days)): ServiceLine.asking(for: "thumbnails", [("days", .days(days))])
        }
    }

    var line: [UInt8] { json.compact + [UInt8(ascii: "\n")] }

    init(_ line: [UInt8]) throws(Failure) {
        guard let members = (try? JSONText(line))?.members else { throw .nonsense }
        guard members["version"]?.integer == Self.version else { throw .otherVersion }
        guard let request = Self(members) else { throw .nonsense }
        self = request
    }

    private init?(_ members: [String: JSONText]) {
        switch (members["do"]?.string, members["days"]?.days) {
        case ("status", _): self = .status
        case ("sync", let days?):
            guard let since = members["since"].optional(\.day), let until = members["until"].optional(\.day),
                let settings = members["settings"]?.members?.compactMapValues(\.string),
                let list = members["list"].optional({ $0.string.flatMap { ListName($0) } })
            else { return nil }
            self = .job(.sync(SyncOrder(days: days, since: since, until: until, list: list, settings: settings)))
        case ("revert", _):
            guard let day = members["day"]?.day else { return nil }
            self = .job(.revert(day))
        case ("prune", _): self = .job(.prune)
        case ("favorites", _):
            guard let order = FavoritesOrder(members) else { return nil }
            self = .job(.favorites(order))
        case ("repair", let days?):
            let lists = (members["lists"]?.elements ?? []).compactMap { $0.string.flatMap { ListName($0) } }
            self = .job(.repair(days, lists: lists))
        case ("remember", _):
            guard let findings = VerifyFindings(members["findings"]) else { return nil }
            self = .job(.remember(findings))
        case ("thumbnails", let days?): self = .job(.thumbnails(days))
        default: return nil
        }
    }
}
