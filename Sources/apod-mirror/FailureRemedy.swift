import Apod
import Archive
import Configuration
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
            if you deleted it on purpose, or only \(Tree.ownFolder), \(beginning(path)) lets it begin again; otherwise \
            mount its disk, or set `root` to where the mirror is now
            """
        case .hidden: showing(path, root)
        case .foreign: joiningKeeper(path)
        case .closed:
            isSystems(root)
                ? ServiceCommands.ofSystem.allowing ?? ServiceAdvice(root).start
                : "name another folder in the settings\(taking(path))"
        case .limit: raising(path)
        case .full: "make room there"
        case .unreachable:
            "check this machine's network and clock\(isUsual(failure) ? "" : ", and the setting `upstream`")"
        case .records where !isUsual(failure): "check the setting `upstream`"
        case .folder: failure.number.flatMap { of(Int32(clamping: $0), path, in: root) }
        default: nil
        }
    }

    /// Whether the server is NASA's, which `upstream` names by default.
    private static func isUsual(_ failure: Failure) -> Bool {
        failure.address.map { $0.host == Settings(root: "/").upstream.host } ?? true
    }

    /// What to do about an errno at a path.
    private static func of(_ number: Int32, _ path: String, in root: String) -> String? {
        switch number {
        case EROFS:
            if FileSystem.isDiskDamaged(path) {
                let stopping = command("stop", root).map { "Stop the service (`\($0)`), unmount" } ?? "Unmount"
                return
                    "the disk has errors: `sudo dmesg` names them. \(stopping) it, check it (fsck) and mount it again"
            }
            return (FileSystem.isDiskReadOnly(path) ? nil : allowing(root)) ?? remounting(path, root)
        case EACCES: return giving(path, in: root)
        case EXDEV: return "unmount it there"
        case ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED:
            return "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
        case ENOSPC, EDQUOT: return "make room"
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTEMPTY: return "move what is there elsewhere"
        default: return nil
        }
    }

    /// Gives the outermost folder that is not the keeper's to the keeper. In the favorites folder, people own things, and
    /// only the group is given.
    private static func giving(_ path: String, in root: String) -> String? {
        let nearest = FileSystem.nearest(path)
        let (user, own) = (keeper(of: root), Tree.ownPath(in: root))
        func isOthers(_ path: String) -> Bool { FileOwner(of: path).map { $0.user != user } ?? false }
        let favorites = Tree.favoritesPath(in: root)
        if "\(nearest)/".utf8.starts(with: "\(favorites)/".utf8), !isOthers(own) {
            let facts = facts(of: nearest)
            let folder = facts?.isFolder == true ? nearest : FileSystem.parent(of: nearest) ?? nearest
            return opening(folder, Self.facts(of: folder), for: FileOwner(of: own))
        }
        let isInside = "\(nearest)/".utf8.starts(with: "\(root)/".utf8)
        if !isInside, nearest != path {
            return allowing(root) ?? "name another folder in the settings"
        }
        let inside = sequence(first: nearest) { $0 == root ? nil : FileSystem.parent(of: $0) }.reversed()
        if let folder = (isInside ? inside : [path]).first(where: isOthers) {
            let isWhole = folder != root || isOthers(own)
            let command = "sudo chown \(isWhole ? "-R " : "")\(FileOwner.login(of: user)): \(Text.quoted(folder))"
            return "`\(command)` gives it to the mirror"
        }
        if let facts = facts(of: nearest), facts.owner == user {
            let needed: UInt32 = facts.isFolder ? 0o700 : 0o600
            let sudo = user == geteuid() ? "" : "sudo "
            if facts.permissions & needed != needed {
                return "`\(sudo)chmod u+rwX \(Text.quoted(nearest))` allows it"
            }
        }
        return allowing(root)
    }

    /// How to let `keeper` write in a folder. Its owner needs sudo only to give it to a group without them.
    static func opening(_ path: String, _ facts: File.Facts?, for keeper: FileOwner?) -> String {
        let (user, group) = (keeper?.user ?? geteuid(), keeper?.group ?? getegid())
        let (folder, owner) = (Text.quoted(path), facts.map(FileOwner.init) ?? FileOwner(of: path))
        let isOwn = facts.map { $0.owner == user && $0.permissions & 0o300 != 0o300 } ?? false
        var commands = ["chmod \(isOwn ? "u+rwx" : "g+rwxs") \(folder)"]
        if !isOwn, owner?.group != group { commands.insert("chgrp \(FileOwner.name(ofGroup: group)) \(folder)", at: 0) }
        if let owner, owner.isPerson, isOwn || owner.isMember(of: group) {
            return "as \(owner.name), `\(commands.joined(separator: " && "))` lets it"
        }
        return "`\(commands.map { "sudo \($0)" }.joined(separator: " && "))` lets it"
    }

    /// Asked of the folder around it: it may be closed.
    static func facts(of path: String) -> File.Facts? {
        guard let folder = FileSystem.parent(of: path), let name = path.utf8.split(separator: UInt8(ascii: "/")).last
        else { return nil }
        return try? Folder.open(folder).facts(of: String(decoding: name, as: UTF8.self))
    }

    /// The user who keeps the mirror, whoever owns its files at the moment.
    private static func keeper(of root: String) -> UInt32 {
        if let system = KnownRoots.keeper(of: root) ?? SystemService.keeper(of: root) { return system.user }
        if isService || KnownRoots(environment: Environment.current).contain(root) { return geteuid() }
        let owners = [Tree.ownPath(in: root), root].compactMap { FileOwner(of: $0)?.user }
        return owners.first { $0 != 0 } ?? owners.first ?? geteuid()
    }

    /// What to do for a user whom the mirror does not belong to.
    private static func joiningKeeper(_ root: String) -> String {
        let own = Tree.ownPath(in: root)
        guard let owner = FileOwner(of: own) else { return "run this as the user who keeps it" }
        if owner.user == 0, let system = KnownRoots.keeper(of: root), system.user != 0 {
            return "`sudo chown -R \(system.name): \(Text.quoted(root))` gives it back to the mirror"
        }
        if owner.user == 0, let keeper = FileOwner(of: root), keeper.user != 0 {
            let name = FileOwner.login(of: keeper.user)
            return "`sudo chown -R \(name): \(Text.quoted(own))` gives it back to the mirror"
        }
        if owner.user == 0 { return "run this as root (`sudo apod-mirror …`)" }
        return "\(ServiceAdvice(root).startForGuests), or run this as that user (`sudo -u \(owner.name) apod-mirror …`)"
    }

    /// How to raise a limit of inotify.
    static func raising(_ limit: String) -> String {
        let enough = limit == "fs.inotify.max_user_instances" ? 1_024 : 1_048_576
        return "`sudo sysctl \(limit)=\(enough)` raises it until the machine starts again"
    }

    /// Whether it is the system-wide service's root, even without a mirror yet.
    private static func isSystems(_ root: String) -> Bool {
        isService || KnownRoots.keeper(of: root) != nil || ServiceAdvice(root).isSystems
            || SystemService.isInstalled && ControlClient.services(Environment.current).contains { $0.root == root }
    }

    /// How to let the system-wide service write there; nil for any other, or where systemd does not confine it.
    private static func allowing(_ root: String) -> String? {
        isSystems(root) ? ServiceCommands.ofSystem.allowing : nil
    }

    private static func command(_ verb: String, _ root: String) -> String? {
        isSystems(root) ? ServiceCommands.ofSystem.command(verb) : nil
    }

    /// Whether this process is the system-wide service.
    private static var isService: Bool {
        let environment = Environment.current
        return environment["INVOCATION_ID"] != nil && environment["STATE_DIRECTORY"] != nil
    }

    /// A service keeps the view of its disks that it started with.
    private static func remounting(_ path: String, _ root: String) -> String {
        let restart = command("restart", root).map { " && \($0)" } ?? ""
        return """
            `sudo mount -o remount,rw "$(findmnt -no TARGET -T \(Text.quoted(FileSystem.nearest(path))))"\(restart)` \
            makes it writable. If it became read-only by itself, check the disk first
            """
    }

    /// How to make the mirror's own folder for the service that kept this root, or for the root's owner.
    private static func beginning(_ root: String) -> String {
        let own = Tree.ownPath(in: root)
        if let keeper = KnownRoots.keeper(of: root), keeper.user != 0 {
            // An empty mount point mostly belongs to root.
            let folders = FileOwner(of: root)?.user == keeper.user ? [own] : [root, own]
            let restart = SystemService.isInstalled ? ServiceCommands.ofSystem.confined.map { " && \($0)" } ?? "" : ""
            return "`\(FolderAdvice.command(folders, for: keeper))\(restart)`"
        }
        if let command = FolderAdvice.command(own, forOwnerOf: root) { return "`\(command)`" }
        return access(root, F_OK) == 0 ? "`\(FolderAdvice.command(own))`" : "`\(FolderAdvice.command(root, own))`"
    }

    /// How to open a folder: one above the mirror need not be listed, only passed through.
    private static func showing(_ folder: String, _ root: String) -> String? {
        let mirror = FileSystem.resolved(root)
        let rights = mirror.map { "\(folder)/".utf8.starts(with: $0 + [UInt8(ascii: "/")]) } ?? false ? "rx" : "x"
        guard let owner = FileOwner(of: folder) else { return nil }
        // Who can look into it asks for the service.
        let shutOut = access(folder, X_OK) == 0 ? keeper(of: root) : geteuid()
        let (who, bit): (String, UInt32) = owner.user == shutOut ? ("u", 0o100) : ("a", 0o001)
        // systemd hides folders from a service behind ones that are closed to all.
        if let facts = facts(of: folder), facts.permissions & bit != 0 || isService && facts.permissions == 0 {
            return allowing(root)
        }
        let command = "chmod \(who)+\(rights) \(Text.quoted(folder))"
        if owner.user == 0 { return "`sudo \(command)` allows it" }
        return owner.user == geteuid() ? "`\(command)` allows it" : "\(owner.name) can allow it with `\(command)`"
    }

    private static func taking(_ folder: String) -> String {
        ArchiveError.holdsOtherThings(folder)
            ? ": there are other things in this one" : ", or make this one yours: `\(FolderAdvice.command(folder))`"
    }

    /// How the current user joins the owner's group; nil for a group that this process is in, a person's or root's.
    static func joining(_ owner: FileOwner?) -> String? {
        guard let owner, !owner.isPerson, owner.group != 0, getgrgid(owner.group) != nil,
            !isInGroup(owner.group), let me = getpwuid(geteuid())?.pointee.pw_name
        else { return nil }
        let name = String(cString: me)
        return FileOwner.has(owner.group, name)
            ? "you are a member from your next login on: log out, and in again"
            : "to join: `sudo adduser \(Text.shown(name)) \(owner.groupName)`, then log out, and in again"
    }

    private static func isInGroup(_ group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        return getegid() == group || getgroups(Int32(groups.count), &groups) > 0 && groups.contains(group)
    }
}

extension Failure {
    /// What to do, to be appended to the words; may be empty.
    func advice(in root: String, after separator: String = "; ") -> String {
        FailureRemedy.of(self, in: root).map { separator + $0 } ?? ""
    }

    /// The words, with what to do.
    func told(in root: String, _ separator: String = "; ") -> String { words + advice(in: root, after: separator) }
}
