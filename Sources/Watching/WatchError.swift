internal import Apod
internal import Files
import Glibc

/// Why folders cannot be watched.
enum WatchError: Error, Equatable, CustomStringConvertible {
    case inUse
    /// Somebody else in this process began to watch something at the same moment.
    case unclear
    case tooManyInstances
    case tooManyWatches
    /// The watched folder is not the one that was opened.
    case moving(path: String)
    case network(kind: String)
    case disk(StorageError)

    static func system(_ action: String, _ path: [UInt8] = Array("folders".utf8), code: Int32) -> WatchError {
        .disk(StorageError(action, String(decoding: path, as: UTF8.self), code: code))
    }

    static func wrapping<Value>(_ step: @autoclosure () throws(StorageError) -> Value) throws(WatchError) -> Value {
        do throws(StorageError) { return try step() } catch { throw .disk(error) }
    }

    /// Whether the other folders can still be watched.
    var isAboutOneFolder: Bool {
        guard case .disk(let error) = self else { return false }
        return error.isDeadEnd || error.isAway || error.isOtherMount || error.code == EPERM
    }

    /// Whether another attempt may succeed at once.
    var isPassing: Bool {
        switch self {
        case .unclear, .moving: true
        case .disk(let error): [ENOENT, ENOTDIR, ELOOP].contains(error.code)
        default: false
        }
    }

    var description: String {
        switch self {
        case .inUse: "folders are watched in this process already"
        case .unclear: "it is not clear which descriptor tells of changes"
        case .tooManyInstances, .tooManyWatches: "the system's limit \(limit ?? "") is reached"
        case .moving(let path): "\(Text.shown(path)) was moved while it was about to be watched"
        case .network(let kind): "the folder is on a network file system (\(kind))"
        case .disk(let error): error.description
        }
    }

    /// The name of the system's limit that is reached.
    var limit: String? {
        switch self {
        case .tooManyInstances: "fs.inotify.max_user_instances"
        case .tooManyWatches: "fs.inotify.max_user_watches"
        default: nil
        }
    }
}
