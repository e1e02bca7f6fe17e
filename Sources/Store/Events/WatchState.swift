package import Apod

/// How changes of the favorites folder become known.
package enum WatchState: Sendable, Equatable, Codable {
    /// At once.
    case inotify
    /// By looking from time to time.
    case polling(why: Problem)
    case lost(Problem)

    /// By its name in JSON.
    package enum Way: String, Sendable { case inotify, polling, lost }

    package var way: Way {
        switch self {
        case .inotify: .inotify
        case .polling: .polling
        case .lost: .lost
        }
    }
}
