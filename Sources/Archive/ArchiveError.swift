package import Apod
package import Files
import Glibc

package enum ArchiveError: Error, CustomStringConvertible {
    case storage(StorageError)
    /// Somebody else writes in this root.
    case inUse(root: String, by: String)
    /// There was a mirror in this root, and there is none.
    case away(root: String)
    /// Whoever asks cannot know whether there is one: a folder on the way, or of the mirror, does not let them look.
    case hidden(by: String, root: String)
    /// Root is not to write in somebody else's mirror.
    case foreign(root: String, owner: String)
    /// Nobody can write here.
    case readOnly(path: String)
    /// Whoever asks may not write here.
    case closed(folder: String, StorageError)
    /// What a month's folder does not let be done; others may. `folder`: that month's, or its year's.
    case refused(folder: String, StorageError)
    /// A file that is not the mirror's has the name of one of a day's.
    case occupied(Day, path: String)
    /// The state may not be kept on this kind of file system.
    case networkDisk(path: String, kind: String)
    /// The catalog is that of another mirror. `mark`: the file that says whose it is.
    case shared(catalog: String, root: String, mark: String)

    package var isFull: Bool {
        switch self {
        case .storage(let error): error.isFull
        case .inUse, .away, .hidden, .foreign, .readOnly, .closed, .refused, .occupied, .networkDisk, .shared: false
        }
    }

    /// It would be the same with any other day.
    package var isGeneral: Bool {
        switch self {
        case .storage(let error): error.isGeneral
        case .refused, .occupied: false
        default: true
        }
    }

    /// It would be the same with any other day of its month.
    package var isOfMonth: Bool { if case .refused = self { true } else { false } }

    /// Only opening the mirror anew can help.
    package var endsService: Bool {
        switch self {
        case .storage(let error): error.endsService
        default: false
        }
    }

    package var description: String { failure.words }

    package var failure: Failure {
        switch self {
        case .storage(let error): error.failure
        case .inUse(let root, let holder):
            Failure(
                .other, "\(Text.shown(root)) is in use by \(Text.shown(holder)); wait until it has finished, or stop it"
            )
        case .away(let root): Failure(.away, "\(Text.shown(root)) has no mirror in it any more", path: root)
        case .hidden(let folder, _):
            Failure(.hidden, "\(StorageError("look into", folder, code: EACCES))", path: folder)
        case .foreign(let root, let owner):
            Failure(.foreign, "\(Text.shown(root)) belongs to \(Text.shown(owner))", path: root)
        case .readOnly(let path):
            Failure(.folder, "\(Text.shown(path)) is on a disk that is read-only", path: path, number: Int(EROFS))
        case .closed(let folder, let error): Failure(.closed, "\(error)", path: folder)
        case .refused(let folder, let error):
            Failure(.folder, Self.words(for: error, in: folder), path: folder, number: Int(error.code))
        case .occupied(_, let path):
            Failure(.nameTaken, "\(Text.shown(path)) is not a file of the mirror, and stays", path: path)
        case .networkDisk(let path, let kind):
            Failure(
                .other,
                """
                \(Text.shown(path)) is on a network file system (\(kind)), where the catalog is not safe; \
                set `state` to a folder on a disk of this machine
                """)
        case .shared(let catalog, let root, let mark):
            Failure(
                .other,
                """
                \(Text.shown(catalog)) is the catalog of another mirror than the one in \(Text.shown(root)): set `state` \
                to another folder. If it is this mirror's, copied or restored there, delete \(Text.shown(mark))
                """)
        }
    }

    private static func words(for error: StorageError, in folder: String) -> String {
        guard error.isOtherMount else { return "\(error)" }
        return "\(error); \(Text.shown(folder)) is on another disk than the mirror, which has to be on one"
    }

    /// Such a folder is nobody's to give away.
    package static func holdsOtherThings(_ folder: String) -> Bool {
        access(folder, F_OK) == 0 && (try? Folder.open(folder).names())?.isEmpty != true
    }

    /// What was thrown, if it says something of the disk, the catalog or the mirror.
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

    /// The same of a single step.
    static func wrapping<Value>(
        step: @autoclosure () throws(StorageError) -> Value
    ) throws(ArchiveError) -> Value {
        try wrapping { () throws(StorageError) in try step() }
    }
}
