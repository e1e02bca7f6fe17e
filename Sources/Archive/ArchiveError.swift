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
    /// Root is not to write in somebody else's mirror. `kept`: what the service keeps instead, and what to do.
    case foreign(root: String, owner: String, kept: String? = nil)
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
    /// The catalog is that of another mirror. `sign`: what says so, if that may be out of date.
    /// `mark`: the file that says whose it is.
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

    package var description: String {
        switch self {
        case .storage(let error): error.description
        case .inUse(let root, let holder):
            "\(Text.shown(root)) is in use by \(Text.shown(holder)); wait until it has finished, or stop it"
        case .away(let root):
            """
            \(Text.shown(root)) has no mirror in it any more: mount its disk, or set `root` to where the mirror is now. If \
            only \(Tree.ownFolder) was deleted, or a new mirror is to begin there: \(Self.beginning(root))
            """
        case .hidden(let folder, let root):
            "\(StorageError("look into", folder, code: EACCES)); \(Self.adviceOnHidden(folder, root))"
        case .foreign(let root, let owner, let kept?):
            """
            \(Text.shown(root)) belongs to \(Text.shown(owner)), and the service runs, but \(kept); or run this as that \
            user (`sudo -u \(Text.shown(owner)) apod-mirror …`)
            """
        case .foreign(let root, let owner, nil):
            """
            \(Text.shown(root)) belongs to \(Text.shown(owner)), and no service runs that could be asked: start it \
            (\(Self.start(by: owner))), or run this as that user (`sudo -u \(Text.shown(owner)) apod-mirror …`)
            """
        case .readOnly(let path):
            "\(Text.shown(path)) is on a disk that is read-only; \(FileSystem.adviceOnReadOnly(path))"
        case .closed(let folder, let error):
            """
            \(error.withoutAdvice); name another folder in the settings\(Self.adviceOnClosed(folder))
            """
        case .refused(let folder, let error): "\(error.withoutAdvice); \(Self.advice(on: error, in: folder))"
        case .occupied(let day, let path):
            """
            \(Text.shown(path)) is not a file of the mirror, and stays; move it elsewhere, then run \
            `apod-mirror sync \(day)`
            """
        case .networkDisk(let path, let kind):
            """
            \(Text.shown(path)) is on a network file system (\(kind)), where the catalog is not safe; \
            set `state` to a folder on a disk of this machine
            """
        case .shared(let catalog, let root, let mark):
            """
            \(Text.shown(catalog)) is the catalog of another mirror than the one in \(Text.shown(root)): set `state` to \
            another folder. If it is this mirror's, copied or restored there, delete \(Text.shown(mark))
            """
        }
    }

    private static func start(by owner: String) -> String {
        owner == "apod-mirror"
            ? "`sudo systemctl start apod-mirror`" : "as \(Text.shown(owner)), `systemctl --user start apod-mirror`"
    }

    /// Such a folder is nobody's to give away.
    package static func holdsOtherThings(_ folder: String) -> Bool {
        access(folder, F_OK) == 0 && (try? Folder.open(folder).names())?.isEmpty != true
    }

    /// Makes the mirror's own folder for whoever keeps that mirror, or else whoever the root belongs to.
    private static func beginning(_ root: String) -> String {
        let own = "\(root)/\(Tree.ownFolder)"
        if let keeper = KnownRoots.keeper(of: root), keeper.user != 0 {
            // An empty folder, where a disk is to be mounted, is root's mostly.
            let folders = FileOwner(of: root)?.user == keeper.user ? [own] : [root, own]
            return SystemService.beginning(by: FolderAdvice.command(folders, for: keeper))
        }
        if let command = FolderAdvice.command(own, forOwnerOf: root) { return "`\(command)`" }
        return access(root, F_OK) == 0 ? "`\(FolderAdvice.command(own))`" : "`\(FolderAdvice.command(root, own))`"
    }

    /// What is above the mirror need not be listed by others, only walked through.
    private static func adviceOnHidden(_ folder: String, _ root: String) -> String {
        let mirror = FileSystem.resolved(root.utf8)
        let rights = mirror.map { "\(folder)/".utf8.starts(with: $0 + [UInt8(ascii: "/")]) } ?? false ? "rx" : "x"
        guard let owner = FileOwner(of: folder), owner.user != geteuid() else {
            return "`chmod u+\(rights) \(Text.quoted(folder))` allows it"
        }
        return "\(owner.name) can allow it with `chmod a+\(rights) \(Text.quoted(folder))`"
    }

    private static func adviceOnClosed(_ folder: String) -> String {
        if Self.holdsOtherThings(folder) { return ": there are other things in this one" }
        return ", or make this one yours: `\(FolderAdvice.command(folder))`"
    }

    private static func advice(on error: StorageError, in folder: String) -> String {
        let name = Text.quoted(folder)
        return switch error.code {
        case EROFS: FileSystem.adviceOnReadOnly(folder)
        case EACCES:
            "`sudo chown -R \(FolderAdvice.asker) \(name) && sudo chmod u+rwx \(name)` gives the folder to the mirror"
        case EXDEV:
            "\(Text.shown(folder)) is on another disk than the mirror, which has to be on one: unmount it there"
        case _ where error.isAway:
            "it is tried again; \(StorageError.adviceOnAway)"
        case EPERM: "`sudo chattr -ia` helps with what `lsattr -a \(name)` shows with an i or an a"
        default: "\(Text.shown(folder)) is to be a folder of the mirror's: move what is there elsewhere"
        }
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
