package import Apod
import Glibc

/// A step on a file or in the catalog that failed: what was being done, to which file, and the reason.
package struct StorageError: Error, Equatable, CustomStringConvertible {
    private enum Reason: Equatable {
        /// The system refused a call.
        case system(action: String, code: Int32)
        /// SQLite refused a statement.
        case catalog(words: String, CatalogTrouble?)
        /// Another thing is at this path now than the one that was opened.
        case replaced
    }

    /// SQLite's refusals that are acted on.
    package enum CatalogTrouble: Sendable { case full, damaged, otherVersion, readOnly }

    package let path: String
    private let reason: Reason

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.path = path
        reason = .system(action: action, code: code)
    }

    package init(replaced path: String) {
        self.path = path
        reason = .replaced
    }

    package init(catalog path: String, _ words: String, _ trouble: CatalogTrouble?) {
        self.path = path
        reason = .catalog(words: words, trouble)
    }

    /// The errno(3) of the call; 0 if it was not the system that refused.
    package var code: Int32 { if case .system(_, let code) = reason { code } else { 0 } }

    /// Only reopening the mirror can help.
    package var endsService: Bool { isReplacement || isUnusableCatalog || isReadOnlyCatalog }
    package var isReplacement: Bool { reason == .replaced }
    package var isDamagedCatalog: Bool { if case .catalog(_, .damaged) = reason { true } else { false } }
    /// SQLite could open the catalog or its log for reading only, as after a passing fault, and leaves it at that.
    private var isReadOnlyCatalog: Bool { if case .catalog(_, .readOnly) = reason { true } else { false } }
    /// The catalog has to be set aside and rebuilt from the files.
    package var isUnusableCatalog: Bool {
        if case .catalog(_, .otherVersion) = reason { true } else { isDamagedCatalog }
    }
    /// A system call failed.
    package var isOfSystem: Bool { if case .system = reason { true } else { false } }
    package var isFull: Bool {
        switch reason {
        case .system(_, let code): code == ENOSPC || code == EDQUOT
        case .catalog(_, let trouble): trouble == .full
        case .replaced: false
        }
    }
    /// A socket's timeout passed without progress (socket(7)).
    package var isBusy: Bool { code == EAGAIN }
    package var isNoFolder: Bool { code == ENOTDIR || code == ELOOP }
    /// A folder is in a file's place, or a file in a folder's.
    package var isWrongKind: Bool { [EISDIR, EEXIST, ENOTEMPTY, ENOTDIR].contains(code) }
    /// The file system does not support the call (renameat2(2)).
    package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }
    /// The path leads to nothing, or to nothing that may be seen.
    package var isDeadEnd: Bool { isNoFolder || [ENOENT, EACCES, ENAMETOOLONG].contains(code) }
    /// The same step may succeed in another folder.
    package var isAboutPlace: Bool { isRefusal || isNoFolder || code == EXDEV || isAway && !isGeneral }
    /// Something else is mounted there; the mirror is on one mount.
    package var isOtherMount: Bool { code == EXDEV }
    /// The disk cannot be reached, which may pass.
    package var isAway: Bool {
        [ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED].contains(code)
    }
    /// Memory or descriptors are used up: that says nothing about the disk.
    package var isOfProcess: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
    /// The process is not permitted to do that.
    package var isRefusal: Bool { [EROFS, EACCES, EPERM].contains(code) }
    /// Nothing else can be written either.
    package var isGeneral: Bool { isFull || isRefusal || code == EIO || isOfProcess || !isOfSystem }

    package var description: String { failure.words }

    package var failure: Failure {
        switch reason {
        case .system(let action, let code): Failure(.folder, action, path: path, number: Int(code))
        case .catalog(let words, let trouble):
            Failure([.damaged, .otherVersion].contains(trouble) ? .unusable : .catalog, words, path: path)
        case .replaced: Failure(.moved, path: path)
        }
    }
}
