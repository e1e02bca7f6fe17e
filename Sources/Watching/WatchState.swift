/// How changes of the favorites folder become known.
package enum WatchState: Sendable, Equatable {
    /// At once.
    case inotify
    /// By looking every few seconds.
    case polling(why: String)
    /// There is no favorites folder that could be read.
    case lost(why: String)

    package var isLost: Bool { if case .lost = self { true } else { false } }
}

extension WatchState: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inotify: "inotify"
        case .polling(let why): "polling: \(why)"
        case .lost(let why): "\(Self.lost): \(why)"
        }
    }

    private static let lost = "lost"

    /// Of one that was noted in words.
    package static func isLost(_ words: String) -> Bool { words.hasPrefix("\(lost):") }
}
