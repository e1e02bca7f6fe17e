package import Apod

/// How changes of the favorites folder become known.
package enum WatchState: Sendable, Equatable {
    /// At once.
    case inotify
    /// By looking from time to time. `limit`: the system limit that is reached (inotify(7)), if that is why.
    case polling(why: String, limit: String? = nil)
    case lost(FavoritesLack)

    package var lack: FavoritesLack? { if case .lost(let lack) = self { lack } else { nil } }
    package var isLost: Bool { lack != nil }
}

extension WatchState {
    package var name: String {
        switch self {
        case .inotify: "inotify"
        case .polling: "polling"
        case .lost: "lost"
        }
    }

    package var json: JSON {
        let data: [(String, JSON)] =
            switch self {
            case .inotify: []
            case .polling(let why, let limit): [("reason", .string(why)), ("limit", .optional(limit))]
            case .lost(let lack): lack.members
            }
        return .object([("state", .string(name))] + data)
    }

    package init?(_ json: JSONText) {
        switch json["state"]?.string {
        case "inotify": self = .inotify
        case "polling": self = .polling(why: json["reason"]?.string ?? "", limit: json["limit"]?.string)
        default:
            guard let lack = FavoritesLack(json) else { return nil }
            self = .lost(lack)
        }
    }
}
