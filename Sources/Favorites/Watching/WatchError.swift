internal import Apod
internal import Files
import Glibc

/// Why folders cannot be watched.
enum WatchError: Error, Equatable {
    /// Something came in between.
    case passing(String)
    /// The system's limit of this name is reached.
    case limit(String)
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
        case .passing: true
        case .disk(let error): [ENOENT, ENOTDIR, ELOOP].contains(error.code)
        default: false
        }
    }

    func failure(in root: String) -> Failure {
        switch self {
        case .passing(let words): Failure(.other, words)
        case .limit(let name): Failure(.limit, path: name)
        case .network(let kind): Failure(.remote, kind, path: root)
        case .disk(let error): error.failure
        }
    }
}
