extension Watching: CustomStringConvertible {
    package var description: String {
        switch self {
        case .inotify: "inotify"
        case .polling(let why): "polling: \(why)"
        case .lost(let why): "lost: \(why)"
        }
    }
}
