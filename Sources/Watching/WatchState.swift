/// How changes of the favorites folder become known.
package enum WatchState: Sendable, Equatable {
    /// At once.
    case inotify
    /// By looking from time to time. `limit`: the system limit that is reached (inotify(7)), if that is why.
    case polling(why: String, limit: String? = nil)
    /// There is no favorites folder that can be read.
    case lost(why: String)

    package var isLost: Bool { if case .lost = self { true } else { false } }
}

extension WatchState {
    package var name: String {
        switch self {
        case .inotify: "inotify"
        case .polling: "polling"
        case .lost: "lost"
        }
    }

    /// Why it is not `inotify`.
    package var why: String? {
        switch self {
        case .inotify: nil
        case .polling(let why, _), .lost(let why): why
        }
    }

    package var limit: String? { if case .polling(_, let limit) = self { limit } else { nil } }

    package init?(_ name: String, _ why: String?, limit: String?) {
        switch name {
        case "inotify": self = .inotify
        case "polling": self = .polling(why: why ?? "", limit: limit)
        case "lost": self = .lost(why: why ?? "")
        default: return nil
        }
    }
}
