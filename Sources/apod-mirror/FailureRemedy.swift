import Apod
import Archive
import Control
import Files
import Glibc

/// What to do about a failure.
enum FailureRemedy {
    /// nil if there is nothing to do, or the failure's own words say what.
    static func of(_ failure: Failure, in root: String) -> String? {
        let path = failure.path ?? root
        return switch failure.code {
        case .away:
            """
            mount its disk, or set `root` to where the mirror is now. If only \(Tree.ownFolder) was deleted, or a new \
            mirror is to begin there: \(beginning(path))
            """
        case .hidden: showing(path, root)
        case .foreign:
            "\(ServiceAdvice(path).startForGuests), or run this as that user (`sudo -u \(owner(of: path)) apod-mirror …`)"
        case .closed: "name another folder in the settings\(taking(path))"
        case .nameTaken: "move it elsewhere, then `apod-mirror sync DATE`"
        case .limit: raising(path)
        case .folder: failure.number.flatMap { of(Int32(clamping: $0), path, in: root) }
        default: nil
        }
    }

    /// What to do about an errno at a path.
    private static func of(_ number: Int32, _ path: String, in root: String) -> String? {
        let name = Text.quoted(path)
        // systemd lets its service write in a few folders only, and shows it the rest of each disk read-only. Services are
        // asked last: that may take seconds.
        func isBySystemd() -> Bool { access(path, F_OK) != 0 && isSystems(root) }
        switch number {
        case EROFS: return !FileSystem.isDiskReadOnly(path) && isSystems(root) ? install : remounting(path)
        case EACCES where FileSystem.isReadOnly(path): return remounting(path)
        case EACCES: return isBySystemd() ? install : opening(path, in: root)
        case EPERM where isBySystemd(): return install
        case EPERM:
            return FileSystem.immutable(at: path).map { "`sudo chattr -ia \(Text.quoted($0))` allows it" }
                ?? "`sudo chattr -ia` helps with what `lsattr -a \(name)` shows with an i or an a"
        case EXDEV: return "unmount it there"
        case ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED:
            return "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTEMPTY: return "move what is there elsewhere"
        default: return nil
        }
    }

    /// How to give a folder to the mirror's user; nil if it is missing.
    private static func opening(_ path: String, in root: String) -> String? {
        if access(path, F_OK) != 0 { return nil }
        let keeper = FileOwner(of: "\(root)/\(Tree.ownFolder)").map { FileOwner.login(of: $0.user) }
        let name = Text.quoted(path)
        return """
            `sudo chown -R \(keeper ?? FolderAdvice.asker) \(name) && sudo chmod u+rwx \(name)` gives the folder to the \
            mirror
            """
    }

    /// How to raise a limit of inotify.
    static func raising(_ limit: String) -> String {
        let enough = limit == "fs.inotify.max_user_instances" ? 1_024 : 1_048_576
        return "`sudo sysctl \(limit)=\(enough)` raises it until the next start"
    }

    private static let install = "after a change of `root` or `state`, run systemd/install again"

    /// Whether it is the system-wide service's root, even without a mirror yet.
    private static func isSystems(_ root: String) -> Bool {
        let environment = Environment.current
        return environment["INVOCATION_ID"] != nil && environment["STATE_DIRECTORY"] != nil
            || ServiceAdvice(root).isSystems
            || SystemService.isInstalled && ControlClient.services(environment).contains { $0.root == root }
    }

    private static func remounting(_ path: String) -> String {
        """
        `sudo mount -o remount,rw "$(findmnt -no TARGET -T \(Text.quoted(FileSystem.nearest(path))))"` makes it \
        writable. If it became read-only by itself, check the disk first
        """
    }

    private static func owner(of root: String) -> String {
        FileOwner(of: "\(root)/\(Tree.ownFolder)")?.name ?? "USER"
    }

    /// How to make the mirror's own folder for the service that kept this root, or for the root's owner.
    private static func beginning(_ root: String) -> String {
        let own = "\(root)/\(Tree.ownFolder)"
        if let keeper = KnownRoots.keeper(of: root), keeper.user != 0 {
            // An empty mount point mostly belongs to root.
            let folders = FileOwner(of: root)?.user == keeper.user ? [own] : [root, own]
            return SystemService.beginning(by: FolderAdvice.command(folders, for: keeper))
        }
        if let command = FolderAdvice.command(own, forOwnerOf: root) { return "`\(command)`" }
        return access(root, F_OK) == 0 ? "`\(FolderAdvice.command(own))`" : "`\(FolderAdvice.command(root, own))`"
    }

    /// How to open a folder: one above the mirror need not be listed, only passed through.
    private static func showing(_ folder: String, _ root: String) -> String {
        let mirror = FileSystem.resolved(root.utf8)
        let rights = mirror.map { "\(folder)/".utf8.starts(with: $0 + [UInt8(ascii: "/")]) } ?? false ? "rx" : "x"
        guard let owner = FileOwner(of: folder), owner.user != geteuid() else {
            return "`chmod u+\(rights) \(Text.quoted(folder))` allows it"
        }
        return "\(owner.name) can allow it with `chmod a+\(rights) \(Text.quoted(folder))`"
    }

    private static func taking(_ folder: String) -> String {
        ArchiveError.holdsOtherThings(folder)
            ? ": there are other things in this one" : ", or make this one yours: `\(FolderAdvice.command(folder))`"
    }

    /// How the current user joins the owner's group; nil for the group of a person or of root.
    static func joining(_ owner: FileOwner?) -> String? {
        guard let owner, !owner.isPerson, owner.group != 0, getgrgid(owner.group) != nil,
            let me = getpwuid(geteuid())?.pointee.pw_name
        else { return nil }
        let name = String(cString: me)
        return owner.groupHas(name)
            ? "you are a member from your next login on: log out, and in again"
            : "to join: `sudo adduser \(Text.shown(name)) \(owner.groupName)`, then log out, and in again"
    }
}

extension Failure {
    /// What to do, to be appended to the words; may be empty.
    func advice(in root: String) -> String { FailureRemedy.of(self, in: root).map { "; \($0)" } ?? "" }

    /// The words, with what to do.
    func told(in root: String) -> String { words + advice(in: root) }
}

extension ArchiveError {
    /// The words, with what to do.
    func told(in root: String) -> String { failure.told(in: root) }
}
