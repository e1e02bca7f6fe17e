internal import Apod
import Glibc

/// A system call on a file that failed: what was being done, to which file, and the system's reason.
package struct DiskError: Error, Equatable, CustomStringConvertible {
    package let action: String
    package let path: String
    package let code: Int32

    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    package var isReadOnly: Bool { code == EROFS }
    package var isFull: Bool { code == ENOSPC || code == EDQUOT }
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
    /// The disk is not there now, or not reached, and may be again.
    package var isAway: Bool {
        [ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED].contains(code)
    }
    /// What to do about it.
    package static let adviceOnAway = "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
    /// This process, or the system, has no room for it now: that says nothing about the disk.
    package var isOfProcess: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(code) }
    /// Who asked may not do that.
    package var isRefusal: Bool { [EROFS, EACCES, EPERM].contains(code) }
    /// Nothing else can be written either.
    package var isGeneral: Bool { isFull || isRefusal || code == EIO || isOfProcess }

    package var description: String { "cannot \(action) \(Text.shown(path)): \(Self.words(for: code))" }

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
