package import Apod
package import Files
import Glibc

package enum ArchiveError: Error, CustomStringConvertible {
    case storage(StorageError)
    /// Another process has the mirror open for writing.
    case inUse(root: String, by: String)
    /// The root had a mirror and has none, as when its disk is not mounted.
    case away(root: String)
    /// The permissions of the folder `by` hide whether there is a mirror.
    case hidden(by: String)
    /// The mirror belongs to another user, `owner`.
    case foreign(root: String, owner: String)
    case readOnly(path: String)
    /// This user cannot write in `folder`, where a mirror is to begin.
    case closed(folder: String, StorageError)
    /// This folder cannot be changed. If it is a month's or a year's, other months may work.
    case refused(folder: String, StorageError)
    /// The state folder is on a network file system.
    case networkDisk(path: String, kind: String)
    /// The catalog belongs to another mirror. `mark`: the file that says so.
    case shared(root: String, mark: String)

    package var isFull: Bool {
        if case .storage(let error) = self { error.isFull } else { false }
    }

    /// Whether any other day would fail in the same way.
    package var isGeneral: Bool {
        switch self {
        case .storage(let error): error.isGeneral
        case .refused: false
        default: true
        }
    }

    /// Whether only opening the mirror again can help.
    package var endsService: Bool {
        if case .storage(let error) = self { error.endsService } else { false }
    }

    package var description: String { failure.words }

    package var failure: Failure {
        switch self {
        case .storage(let error): error.failure
        case .inUse(let root, let holder): Failure(.used, holder, path: root)
        case .away(let root): Failure(.away, path: root)
        case .hidden(let folder): Failure(.hidden, path: folder)
        case .foreign(let root, let owner): Failure(.foreign, owner, path: root)
        case .readOnly(let path): Failure(.folder, "write in", path: path, number: Int(EROFS))
        case .closed(let folder, let error):
            Failure(.closed, error.failure.detail, path: folder, number: Int(error.code))
        // What is mounted there is the month's; any other reason is the file's.
        case .refused(let folder, let error):
            error.isOtherMount ? Failure(.folder, path: folder, number: Int(error.code)) : error.failure
        case .networkDisk(let path, let kind): Failure(.network, kind, path: path)
        case .shared(let root, let mark): Failure(.shared, root, path: mark)
        }
    }

    /// Whether a folder is not known to be empty. Nobody is advised to change its owner then.
    package static func holdsOtherThings(_ folder: String) -> Bool {
        access(folder, F_OK) == 0 && (try? Folder.open(folder).names())?.isEmpty != true
    }

    /// nil for an error that is not about the disk, the catalog or the mirror.
    package init?(_ error: any Error) {
        switch error {
        case let error as ArchiveError: self = error
        case let error as StorageError: self = .storage(error)
        default: return nil
        }
    }

    package static func wrapping<Value>(_ work: () throws(StorageError) -> Value) throws(ArchiveError) -> Value {
        do throws(StorageError) { return try work() } catch { throw .storage(error) }
    }

    /// Wraps a single expression.
    static func wrapping<Value>(
        step: @autoclosure () throws(StorageError) -> Value
    ) throws(ArchiveError) -> Value {
        try wrapping { () throws(StorageError) in try step() }
    }
}
