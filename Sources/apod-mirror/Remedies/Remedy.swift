import Apod
import Archive
import Configuration
import Control
import Favorites
import Files
import Glibc

/// What the current user can do about what is wrong: one table, from a condition or a failure and how the mirror is kept
/// to a sentence, with at most one command to type.
struct Remedy {
    let keeping: Keeping
    private var root: String { keeping.root }

    init(_ keeping: Keeping) { self.keeping = keeping }

    /// nil if the condition passes by itself, or its lines say what to do. `isServed`: a service keeps the mirror.
    func of(_ condition: Condition, isServed: Bool) -> String? {
        switch condition {
        case .waiting, .polling, .trouble, .unfinished, .folderLost, .unwritable, .unrecognised, .pending:
            nil
        case .settings: "correct them, then \(keeping.commands.reload)"
        case .noThumbnailer: InstalledProgram.remedy
        case .ended(let loss):
            "`apod-mirror favorites restore --since \(Time.text(loss.since))` brings them back"
        case .held:
            """
            they stay until you run `apod-mirror prune`; to keep them, correct the \
            settings\(isServed ? ", then \(keeping.commands.reload)" : ""), or make them favorites
            """
        case .outOfReach: "raise `max-total`: favorites, late corrections and JSON stay"
        case .damaged: "`apod-mirror verify --repair` fetches what it can again"
        case .failed(let days, _, _):
            "`apod-mirror sync\(days.first.map { " \($0)" } ?? "")` tries again at once"
        case .listSilent(let list, _, _): "`apod-mirror sync --list \(list)` asks at once"
        case .undecodable(let day, _):
            "`apod-mirror thumbnails \(day)` tries again, `apod-mirror sync \(day)` asks NASA for another picture"
        case .nameTaken: "rename it: the mirror needs the name"
        case .replaced(let day, _, _, _): "`apod-mirror revert \(day)` brings the former one back"
        }
    }

    /// nil if there is nothing to do, or the failure's own words say what.
    func of(_ failure: Problem) -> String? {
        let path = failure.path ?? root
        return switch failure.code {
        case .away:
            """
            if you deleted it on purpose, or only \(Tree.ownFolder), `\(beginning(path))` lets it begin again; \
            otherwise mount its disk, or set `root` to where the mirror is now
            """
        case .hidden: showing(path)
        case .foreign: joiningKeeper()
        case .closedSocket: Self.joining(FileOwner(of: path) ?? FileOwner(of: Tree.favoritesPath(in: root)))
        case .closed:
            keeping.isSystems
                ? ServiceCommands.ofSystem.allowing ?? keeping.start
                : "name another folder in the settings\(taking(path))"
        case .occupied: "to begin a mirror of yours among them: `\(making([Tree.ownPath(in: path)], for: .current))`"
        case .limit:
            """
            `sudo sysctl \(path)=\(path == "fs.inotify.max_user_instances" ? 1_024 : 1_048_576)` raises it until the \
            machine starts again
            """
        case .full: "make room there"
        case .unreachable:
            "check this machine's network and clock\(isUsual(failure) ? "" : ", and the setting `upstream`")"
        case .records where !isUsual(failure): "check the setting `upstream`"
        case .folder, .barred: failure.number.flatMap { of(errno: Int32(clamping: $0), path) }
        default: nil
        }
    }

    /// Whether the server is NASA's, which `upstream` names by default.
    private func isUsual(_ failure: Problem) -> Bool {
        failure.address.map { $0.host == Settings(root: "/").upstream.host } ?? true
    }

    private func of(errno: Int32, _ path: String) -> String? {
        switch errno {
        case EROFS:
            (FileSystem.isDiskReadOnly(path) ? nil : keeping.allowing)
                ?? "make it writable; `sudo dmesg` says whether the disk has errors"
        case EACCES: giving(path)
        case EXDEV: "unmount it there"
        case ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED:
            "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
        case ENOSPC, EDQUOT: "make room"
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTEMPTY: "move what is there elsewhere"
        default: nil
        }
    }

    /// Gives the outermost folder that is not the keeper's to the keeper. In the favorites folder, people own things, and
    /// only the group is given.
    private func giving(_ path: String) -> String? {
        let nearest = FileSystem.nearest(path)
        let (user, own) = (keeping.keeper, Tree.ownPath(in: root))
        func isOthers(_ path: String) -> Bool { FileOwner(of: path).map { $0.user != user } ?? false }
        if Self.isInside(nearest, Tree.favoritesPath(in: root)), !isOthers(own) {
            let isFolder = Self.facts(of: nearest)?.isFolder == true
            return Self.opening(isFolder ? nearest : FileSystem.parent(of: nearest) ?? nearest, for: keeping.owner)
        }
        let isInside = Self.isInside(nearest, root)
        if !isInside, nearest != path { return keeping.allowing ?? "name another folder in the settings" }
        let inside = sequence(first: nearest) { $0 == root ? nil : FileSystem.parent(of: $0) }.reversed()
        guard let folder = (isInside ? inside : [path]).first(where: isOthers) else { return keeping.allowing }
        let isWhole = folder != root || isOthers(own)
        return
            "`sudo chown \(isWhole ? "-R " : "")\(FileOwner.login(of: user)): \(Text.quoted(folder))` gives it to the mirror"
    }

    private static func isInside(_ path: String, _ folder: String) -> Bool {
        "\(path)/".utf8.starts(with: "\(folder)/".utf8)
    }

    /// How to let `keeper` write in a folder. Its owner needs sudo only to give it to a group without them.
    static func opening(_ path: String, for keeper: FileOwner?) -> String {
        let (user, group) = (keeper?.user ?? geteuid(), keeper?.group ?? getegid())
        let (folder, facts) = (Text.quoted(path), facts(of: path))
        let owner = facts.map(FileOwner.init)
        let isOwn = facts.map { $0.owner == user && $0.permissions & 0o300 != 0o300 } ?? false
        var commands = ["chmod \(isOwn ? "u+rwx" : "g+rwxs") \(folder)"]
        if !isOwn, owner?.group != group { commands.insert("chgrp \(FileOwner.name(ofGroup: group)) \(folder)", at: 0) }
        if let owner, owner.isPerson, isOwn || owner.isMember(of: group) {
            return "as \(owner.name), `\(commands.joined(separator: " && "))` lets it"
        }
        return "`\(commands.map { "sudo \($0)" }.joined(separator: " && "))` lets it"
    }

    /// Asked of the folder around it: it may be closed.
    private static func facts(of path: String) -> File.Facts? {
        guard let folder = FileSystem.parent(of: path), let name = path.utf8.split(separator: UInt8(ascii: "/")).last
        else { return nil }
        return try? Folder.open(folder).facts(of: String(decoding: name, as: UTF8.self))
    }

    /// What to do for a user whom the mirror does not belong to.
    private func joiningKeeper() -> String {
        guard let owner = keeping.owner else { return "run this as the user who keeps it" }
        if owner.user != 0 {
            return "\(keeping.startForGuests), or run this as that user (`sudo -u \(owner.name) apod-mirror …`)"
        }
        guard let system = KnownRoots.keeper(of: root), system.user != 0 else {
            return "run this as root (`sudo apod-mirror …`)"
        }
        return "`sudo chown -R \(system.name): \(Text.quoted(root))` gives it back to the mirror"
    }

    /// How to open a folder: one above the mirror need not be listed, only passed through.
    private func showing(_ folder: String) -> String? {
        // systemd hides folders from a service behind ones that are closed to all.
        if let facts = Self.facts(of: folder),
            facts.permissions & 0o001 != 0 || SystemService.isThis && facts.permissions == 0
        {
            return keeping.allowing
        }
        let mirror = FileSystem.resolved(root).map { String(decoding: $0, as: UTF8.self) }
        let rights = mirror.map { Self.isInside(folder, $0) } ?? false ? "rx" : "x"
        return "`sudo chmod a+\(rights) \(Text.quoted(folder))` allows it"
    }

    /// How to make the mirror's own folder for the service that kept this root, or for the root's owner.
    private func beginning(_ root: String) -> String {
        let (own, user) = (Tree.ownPath(in: root), FileOwner(of: root))
        guard let keeper = KnownRoots.keeper(of: root), keeper.user != 0 else {
            return making(user == nil ? [root, own] : [own], for: user ?? .current)
        }
        // An empty mount point mostly belongs to root.
        let folders = user?.user == keeper.user ? [own] : [root, own]
        let restart = SystemService.isInstalled ? ServiceCommands.ofSystem.confined.map { " && \($0)" } ?? "" : ""
        return making(folders, for: keeper) + restart
    }

    /// Whether a folder is not known to be empty. Nobody is advised to change its owner then.
    static func holdsOtherThings(_ folder: String) -> Bool {
        access(folder, F_OK) == 0 && (try? Folder.open(folder).names())?.isEmpty != true
    }

    private func taking(_ folder: String) -> String {
        Self.holdsOtherThings(folder)
            ? ": there are other things in this one" : ", or make this one yours: `\(making([folder], for: .current))`"
    }

    /// The command that makes folders for a user, or gives existing ones to that user; one comes before those inside it.
    /// System users get them with the group of their name.
    private func making(_ folders: [String], for owner: FileOwner) -> String {
        let hasOwnGroup = owner.user != 0 && !owner.isPerson
        let outermost = folders[0]
        if owner.user == geteuid(), !hasOwnGroup, access(outermost, F_OK) != 0, errno == ENOENT,
            access(FileSystem.nearest(outermost), W_OK | X_OK) == 0
        {
            return "mkdir -p \(Text.quoted(folders[folders.count - 1]))"
        }
        let user = FileOwner.login(of: owner.user)
        let names = folders.map { Text.quoted($0) }.joined(separator: " ")
        return "sudo install -d -o \(user) \(hasOwnGroup ? "-g \(user) " : "")\(names)"
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

    /// For a file that is named like a copy in the gallery; nil for any other.
    static func ofCopy(_ place: Place) -> String? {
        guard let day = place.name.text.flatMap({ GallerySize.picture(in: $0) })?.day, !day.isItem else { return nil }
        return """
            a smaller copy from the gallery; put the picture itself here, or a link to it: \
            `apod-mirror favorites add \(day)` makes one
            """
    }
}

extension FileOwner {
    fileprivate static var current: FileOwner { FileOwner(user: geteuid(), group: getegid()) }
}

extension Problem {
    /// What to do, to be appended to the words; may be empty.
    func advice(in root: String, after separator: String = "; ") -> String {
        Remedy(Keeping(root)).of(self).map { separator + $0 } ?? ""
    }

    /// The words, with what to do.
    func told(in root: String, _ separator: String = "; ") -> String { words + advice(in: root, after: separator) }
}
