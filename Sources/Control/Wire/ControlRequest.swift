package import Apod
internal import Archive
internal import Files
package import Syncing

/// What a command asks of the service: one line, one JSON object.
package enum ControlRequest: Sendable, Equatable {
    case status
    case job(Job)

    /// The version of the protocol. A request of another one is refused.
    static let version = LocalSocket.protocolVersion

    enum Failure: Error, Equatable {
        case nonsense
        case otherVersion
    }
}

extension ControlRequest {
    package var json: JSON {
        let words: [(String, JSON)] =
            switch self {
            case .status: [("do", .string("status"))]
            case .job(.sync(let order)):
                [
                    ("do", .string("sync")), ("days", .days(order.days)),
                    ("since", .optional(order.since?.description)), ("until", .optional(order.until?.description)),
                    ("settings", .object(order.settings.sorted { $0.key < $1.key }.map { ($0, .string($1)) })),
                ]
            case .job(.revert(let day)): [("do", .string("revert")), ("day", .day(day))]
            case .job(.prune): [("do", .string("prune"))]
            case .job(.favorites(let order)):
                [
                    ("do", .string("favorites")), ("action", .string(order.action.rawValue)),
                    ("days", .days(order.days)), ("since", .optional(order.since)),
                    ("album", .optional(order.album?.text)),
                ]
            case .job(.repair(let days)): [("do", .string("repair")), ("days", .days(days))]
            case .job(.remember(let findings)): [("do", .string("remember")), ("findings", findings.json)]
            case .job(.thumbnails(let days)): [("do", .string("thumbnails")), ("days", .days(days))]
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
        switch (members["do"]?.string, members["days"]?.days) {
        case ("status", _): self = .status
        case ("sync", let days?):
            guard let since = members["since"].optional(\.day), let until = members["until"].optional(\.day),
                let settings = members["settings"]?.members?.compactMapValues(\.string)
            else { return nil }
            self = .job(.sync(SyncOrder(days: days, since: since, until: until, settings: settings)))
        case ("revert", _):
            guard let day = members["day"]?.day else { return nil }
            self = .job(.revert(day))
        case ("prune", _): self = .job(.prune)
        case ("favorites", let days?):
            guard let action = members["action"]?.string.flatMap(FavoritesOrder.Action.init),
                let album = members["album"].optional({ $0.string.flatMap(AlbumName.init) })
            else { return nil }
            self = .job(.favorites(FavoritesOrder(action, days, since: members["since"]?.integer, album: album)))
        case ("repair", let days?): self = .job(.repair(days))
        case ("remember", _):
            guard let findings = VerifyFindings(members["findings"]) else { return nil }
            self = .job(.remember(findings))
        case ("thumbnails", let days?): self = .job(.thumbnails(days))
        default: return nil
        }
    }
}
