import Glibc

extension Problem {
    /// A step on a file or folder that the system refused.
    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.init(.folder, action, path: path, number: Int(code))
    }

    /// The errno(3) of the call; 0 if it was not the system that refused.
    package var errorNumber: Int32 { isOfSystem ? Int32(clamping: number ?? 0) : 0 }
}

extension Error {
    /// Any other error becomes its description.
    package var problem: Problem {
        self as? Problem ?? (self is CancellationError ? Problem(.stopped) : Problem(.other, "\(self)"))
    }
}

/// Of a disk.
extension Problem {
    /// A system call failed.
    package var isOfSystem: Bool { [.folder, .barred, .closed].contains(code) }
    /// Only reopening the mirror can help. SQLite could open the catalog or its log for reading only, as after a passing
    /// fault, and leaves it at that.
    package var endsService: Bool { [.moved, .unusable].contains(code) || code == .catalog && number == Int(EROFS) }
    package var isDamagedCatalog: Bool { code == .unusable && number == Int(EBADMSG) }
    package var isFull: Bool {
        code == .full || isOfSystem && errorNumber == EDQUOT
            || (isOfSystem || code == .catalog) && number == Int(ENOSPC)
    }
    /// A socket's timeout passed without progress (socket(7)).
    package var isBusy: Bool { errorNumber == EAGAIN }
    package var isMissing: Bool { errorNumber == ENOENT }
    package var isNoFolder: Bool { [ENOTDIR, ELOOP].contains(errorNumber) }
    /// A folder is in a file's place, or a file in a folder's.
    package var isWrongKind: Bool { [EISDIR, EEXIST, ENOTEMPTY, ENOTDIR].contains(errorNumber) }
    /// The file system does not support the call (renameat2(2)).
    package var isUnsupported: Bool { [EINVAL, ENOSYS, EOPNOTSUPP].contains(errorNumber) }
    /// The path leads to nothing, or to nothing that may be seen.
    package var isDeadEnd: Bool { isNoFolder || [ENOENT, EACCES, ENAMETOOLONG].contains(errorNumber) }
    /// The same step may succeed in another folder.
    package var isAboutPlace: Bool { isRefusal || isNoFolder || isOtherMount || isAway && !isGeneral }
    /// The disk cannot be reached, which may pass.
    package var isAway: Bool {
        [ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED].contains(errorNumber)
    }
    /// Memory or descriptors are used up: that says nothing about the disk.
    package var isOfProcess: Bool { [EMFILE, ENFILE, ENOMEM, ENOBUFS].contains(errorNumber) }
    /// Something else is mounted there; the mirror is on one mount.
    package var isOtherMount: Bool { errorNumber == EXDEV }
    /// The process is not permitted to do that.
    package var isRefusal: Bool { [EROFS, EACCES, EPERM].contains(errorNumber) }
    /// Nothing else can be written, either.
    package var isGeneral: Bool {
        ![.barred, .edited].contains(code)
            && (isFull || isRefusal || errorNumber == EIO || isOfProcess || code != .folder)
    }
}

/// Of a server.
extension Problem {
    /// The upstream's or another server's. All others are of this machine, and end what is under way.
    package var isOfNetwork: Bool {
        switch code {
        case .unreachable, .refused, .transfer, .stalled, .room, .broken, .undecodable, .unseen, .large, .unfit,
            .redirect,
            .forbidden, .records, .record, .elsewhere, .files:
            true
        default: false
        }
    }

    /// Whether the same question may have an answer soon. A status can come from any gateway and says nothing of the day.
    package var isPassing: Bool { code != .record }
    package var isUnreachable: Bool { code == .unreachable }
    /// In seconds.
    package var requestedPause: Int? { code == .refused ? detail.flatMap { Int($0) } : nil }
    package var asksForPause: Bool { requestedPause != nil || code == .refused && number == 429 }
    /// Whether the answer is unusable, so that a question about fewer days may do better.
    package var isUnusable: Bool { code == .record || code == .records && number == nil }
    /// Whether another service of the same server may answer.
    package var isOfService: Bool { isOfNetwork && !asksForPause && !isUnreachable }

    /// Whether the address has nothing usable, so that another is worth trying.
    package var isAbsence: Bool {
        switch code {
        // With Retry-After, 403 means “not now”.
        case .refused:
            number.map { !([408, 425, 429].contains($0) || $0 >= 500 || $0 == 403 && detail != nil) } ?? false
        case .unfit, .large, .redirect, .forbidden, .broken: true
        default: false
        }
    }
}
