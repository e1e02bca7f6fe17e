import Apod
import Configuration
import Favorites
import Files
import Glibc
import Service
import Store

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
            "`apod-mirror favorites restore --since \(loss.since)` brings them back"
        case .held:
            """
            they stay until you run `apod-mirror prune`; to keep them, correct the \
            settings\(isServed ? ", then \(keeping.commands.reload)" : ""), or make them favorites
            """
        case .outOfReach: "raise `max-total`: favorites, late corrections and JSON stay"
        case .damaged: "`apod-mirror verify --repair` fetches what it can again"
        case .incomplete(let days, let failure) where failure.code == .edited:
            "`apod-mirror sync \(days[0])` takes NASA's, and moves yours to \(Tree.ownFolder)/set-aside"
        case .failed(let days, _), .incomplete(let days, _):
            "`apod-mirror sync\(days.first.map { " \($0)" } ?? "")` tries again at once"
        case .listSilent(let list, _, _): "`apod-mirror sync --list \(list)` asks at once"
        case .undecodable(let day, _):
            "`apod-mirror thumbnails \(day)` tries again, `apod-mirror sync \(day)` asks NASA for another picture"
        case .edited: "they stay until you move or delete them"
        case .nameTaken: "rename it: the mirror needs the name"
        case .replaced(let day, _, _, _, _): "`apod-mirror revert \(day)` brings the former one back"
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
        case .hidden: permissions
        case .foreign: owning
        case .closedSocket: Self.joining(FileOwner(of: path) ?? FileOwner(of: Tree.favoritesPath(in: root)))
        case .closed: keeping.commands.allowing ?? "name another folder in the settings, or \(permissions)"
        case .occupied: "to begin a mirror of yours among them: `\(beginning(path))`"
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
            (FileSystem.isDiskReadOnly(path) ? nil : keeping.commands.allowing)
                ?? "make it writable; `sudo dmesg` says whether the disk has errors"
        case EACCES: permissions
        case EXDEV: "unmount it there"
        case ETIMEDOUT, EIO, ENOTCONN, ESTALE, EHOSTDOWN, EHOSTUNREACH, ECONNABORTED:
            "if that lasts, check the disk: `sudo dmesg` says what is wrong with it"
        case ENOSPC, EDQUOT: "make room"
        case ENOTDIR, EEXIST, EISDIR, ELOOP, ENOTEMPTY: "move what is there elsewhere"
        default: nil
        }
    }

    private static let manual = "/usr/share/doc/apod-mirror/manual.md"

    private var permissions: String {
        "see “Permissions” in \(access(Self.manual, R_OK) == 0 ? Self.manual : "the manual")"
    }

    /// What to do for a user whom the mirror does not belong to.
    private var owning: String {
        guard let owner = keeping.owner else { return "run this as the user who keeps it" }
        if owner.user == 0 { return "run this as root (`sudo apod-mirror …`), or \(permissions)" }
        if let conflict = keeping.conflict { return "its service runs, but \(conflict)" }
        return "start its service, or run this as that user (`sudo -u \(owner.name) apod-mirror …`)"
    }

    /// Makes the mirror's own folder. The system's service gets the folder around it, too: an empty mount point mostly
    /// belongs to root.
    private func beginning(_ root: String) -> String {
        let own = Text.quoted(Tree.ownPath(in: root))
        guard keeping.commands.isSystems else { return "mkdir -p \(own)" }
        let restart = keeping.commands.confined.map { " && \($0)" } ?? ""
        return "sudo install -d -o apod-mirror -g apod-mirror \(Text.quoted(root)) \(own)\(restart)"
    }

    /// How the current user joins the owner's group; nil for a group that this process is in, a person's or root's.
    static func joining(_ owner: FileOwner?) -> String? {
        guard let owner, !owner.isPerson, owner.group != 0, getgrgid(owner.group) != nil, !isInGroup(owner.group)
        else { return nil }
        let name = FileOwner.login(of: geteuid())
        return "to join: `sudo adduser \(name) \(owner.groupName)`, then log out, and in again"
    }

    private static func isInGroup(_ group: UInt32) -> Bool {
        var groups = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        return getegid() == group || getgroups(Int32(groups.count), &groups) > 0 && groups.contains(group)
    }

    /// For a file that is named like a copy in the gallery; nil for any other.
    static func ofCopy(_ place: Place) -> String? {
        guard let day = GallerySize.picture(in: place.name.text ?? "").flatMap({ Day($0.mark) }) else { return nil }
        return """
            a smaller copy from the gallery; put the picture itself here, or a link to it: \
            `apod-mirror favorites add \(day)` makes one
            """
    }
}

extension Problem {
    /// What to do, to be appended to the words; may be empty.
    func advice(in root: String, after separator: String = "; ") -> String {
        Remedy(Keeping(root)).of(self).map { separator + $0 } ?? ""
    }

    /// The words, with what to do.
    func told(in root: String, _ separator: String = "; ") -> String { words + advice(in: root, after: separator) }
}
