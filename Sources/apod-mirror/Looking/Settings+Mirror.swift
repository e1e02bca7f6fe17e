import Apod
import Configuration
import Files
import Glibc
import Service
import Store

/// What a command asks about the mirror that its settings name.
extension Settings {
    var hasCatalog: Bool { Archive.hasCatalog(root: root, state: state) }

    /// What the service says of itself that keeps this mirror or waits for it; nil if none answers.
    var service: StatusReport? { ControlClient.status(root: root, environment: Environment.current) }

    /// Whether a service keeps this mirror or waits for it. A user outside the group cannot ask it.
    var isServed: Bool { service != nil || Archive.announcement(root: root) != nil }

    var mayReadCatalog: Bool { Archive.mayReadCatalog(root: root, state: state) }

    /// nil if there is none.
    func favoritesToRead() throws -> FavoritesLog {
        try FavoritesLog(toRead: try Folder.open(root))
    }

    func catalogToRead() throws -> Catalog? { try Archive.catalogToRead(root: root, state: state) }
}

/// Roots that cannot hold a mirror, or are probably a mistake.
extension Settings {
    /// nil if nothing is wrong with the root. `begins`: the command makes a missing mirror.
    func wrongRoot(begins: Bool) -> Problem? {
        // A mirror whose disk is away is reported elsewhere.
        guard KnownRoots.isEmpty(root), !KnownRoots(environment: Environment.current).haveLost(root) else { return nil }
        if let mirror = Self.mirror(around: root) { return Problem(.inside, mirror, path: root) }
        // A user who cannot write there is told so elsewhere.
        return begins && access(root, W_OK) == 0 ? occupiedRoot : nil
    }

    /// Says that others cannot come to the pictures; nil if they can, and for a person's own, which may be theirs alone.
    var seclusion: String? {
        if FileOwner(user: geteuid(), group: 0).isPerson || FileOwner(of: root)?.isPerson == true { return nil }
        var (path, facts) = (root as String?, stat())
        while let folder = path {
            if stat(folder, &facts) == 0, facts.st_mode & S_IFMT == S_IFDIR, facts.st_mode & S_IXOTH == 0 {
                let owner = FileOwner(user: facts.st_uid, group: facts.st_gid).name
                return """
                    only \(owner) may enter \(Text.shown(folder)), so others will not see the pictures: set another `root`, or \
                    let them in: `chmod a+x \(Text.quoted(folder))`
                    """
            }
            path = FileSystem.parent(of: folder)
        }
        return nil
    }

    /// nil if a mirror may begin there.
    fileprivate var occupiedRoot: Problem? {
        KnownRoots.otherThing(in: root).map { Problem(.occupied, $0, path: root) }
    }

    private static func mirror(around root: String) -> String? {
        let real = FileSystem.resolved(root).map(\.text)
        let above = FileSystem.parent(of: real ?? root)
        return above.flatMap { KnownRoots.isRoot($0) ? $0 : mirror(around: $0) }
    }
}

/// Says why there is no mirror in the root, often a wrong setting. Returns `.incomplete`, or throws.
func nothingMirrored(in settings: Settings) throws -> ExitStatus {
    let root = settings.root
    try Archive.checkVisible(root: root, state: settings.state)
    if KnownRoots(environment: Environment.current).haveLost(root) { throw Problem(.away, path: root) }
    let elsewhere = "If the mirror is elsewhere, set `root` to where it is"
    let (name, keeping) = (Text.shown(root), Keeping(root))
    let isSystems = keeping.commands.isSystems
    let service = isSystems || keeping.isAnothers ? "the service, when it runs: \(keeping.start)" : nil
    let lack =
        if access(root, F_OK) != 0, !isSystems {
            "there is no \(name); `apod-mirror sync` makes it. \(elsewhere)"
        } else if let above = FileSystem.parent(of: root), access(above, F_OK) != 0 {
            "there is no \(name); mount its disk, or correct `root` in \(Configuration.everybodys), then: \(keeping.start)"
        } else if KnownRoots.isMirror(root), settings.isServed {
            """
            there is no catalog in \(name) now; the service makes a new one from the files when it looks there next. \
            To have it look at once: \(keeping.commands.restart)
            """
        } else if KnownRoots.isMirror(root) {
            "there is no catalog of a mirror in \(name) yet; it is made from what is there by \(service ?? "`apod-mirror sync`")"
        } else if let occupied = settings.occupiedRoot {
            occupied.told(in: root)
        } else {
            isSystems
                ? "there is no mirror in \(name) yet: the service has not started there; \(keeping.start)"
                : "there is no mirror in \(name); one is begun there by `apod-mirror sync`. \(elsewhere)"
        }
    Terminal.complain(lack)
    return .incomplete
}
