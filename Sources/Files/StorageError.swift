package import Apod
import Glibc

/// A step on a file or in the catalog that failed: what was being done, to which file, and the reason.
package struct StorageError: Error, Equatable, CustomStringConvertible {
    private enum Reason: Equatable {
        /// The system's, of a call.
        case system(action: String, code: Int32)
        /// SQLite's.
        case catalog(words: String, CatalogTrouble?)
        /// What is at this path now is not what was opened.
        case replaced
    }

    /// What is to be done about SQLite's refusal depends on these.
    package enum CatalogTrouble: Sendable { case full, damaged, otherVersion }

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

    /// The system's number; 0, which is none, where it was not the system that refused.
    package var code: Int32 { if case .system(_, let code) = reason { code } else { 0 } }

    package func with(code: Int32) -> StorageError {
        if case .system(let action, _) = reason { StorageError(action, path, code: code) } else { self }
    }

    /// Only opening the mirror anew can help.
    package var endsService: Bool { isReplacement || isUnusableCatalog }
    package var isReplacement: Bool { reason == .replaced }
    package var isDamagedCatalog: Bool { if case .catalog(_, .damaged) = reason { true } else { false } }
    /// It is set aside, and another one made from the files.
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
    /// There was no progress for too long.
    package var isBusy: Bool { code == EAGAIN }
    package var isNoFolder: Bool { code == ENOTDIR || code == ELOOP }
    /// A folder has the name of a file, or a file that of a folder.
    package var isInTheWay: Bool { [EISDIR, EEXIST, ENOTEMPTY, ENOTDIR].contains(code) }
    /// This kind of disk cannot do it (renameat2(2)).
    package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(code) }
    /// A path ends where nothing is, or nothing may be seen.
    package var isDeadEnd: Bool { isNoFolder || [ENOENT, EACCES, ENAMETOOLONG].contains(code) }
    /// Nothing in the same folder can be changed, either.
    package var isAboutFolder: Bool { [EROFS, EACCES, EXDEV].contains(code) }
    /// Another folder may let that be done.
    package var isAboutPlace: Bool { isRefusal || isNoFolder || code == EXDEV || isAway && !isGeneral }
    /// Something is mounted there, and only what is on one mount is looked at.
    package var isOtherMount: Bool { code == EXDEV }
    /// The disk is not there now, or not reached, and may be again.
    package var isAway: Bool {
        [ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED].contains(code)
    }
    /// This process, or the system, has no room for it now: that says nothing about the disk.
    package var isOfProcess: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
    /// Who asked may not do that.
    package var isRefusal: Bool { [EROFS, EACCES, EPERM].contains(code) }
    /// Nothing else can be written either.
    package var isGeneral: Bool { isFull || isRefusal || code == EIO || isOfProcess || !isOfSystem }

    package var description: String {
        switch reason {
        case .system(let action, let code): "cannot \(action) \(Text.shown(path)): \(Self.words(for: code))"
        case .replaced:
            """
            \(Text.shown(path)) is not what it was any more: it was moved, deleted, or something was mounted over it; \
            run the same command again when it is back; a service goes on by itself
            """
        case .catalog(let words, let trouble): "the catalog \(Text.shown(path)): \(words)\(Self.advice(on: trouble))"
        }
    }

    package var failure: Failure { Failure(.folder, description, path: path, number: code == 0 ? nil : Int(code)) }

    private static func advice(on trouble: CatalogTrouble?) -> String {
        switch trouble {
        case .damaged, .otherVersion: "; the service or the next sync sets it aside and makes a new one from the files"
        case .full, nil: ""
        }
    }

    private static func words(for code: Int32) -> String {
        switch code {
        case ENOSPC: "no space left on this disk"
        case EDQUOT: "your disk quota is used up"
        case EAGAIN: "another program has it"
        case ETIMEDOUT: "the disk does not answer"
        case ELOOP: "it is a symbolic link where none may be"
        default: String(cString: strerror(code))
        }
    }
}
