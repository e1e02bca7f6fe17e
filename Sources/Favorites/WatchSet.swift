import Apod
import Files
import Glibc
import Store

/// The folders watched at one time: the mirror's root, its favorites folder and all albums, `search` and `lists`.
final class WatchSet {
    enum Watched: Equatable {
        case root, search, lists
        case album(Album)
    }

    /// What an event means for the favorites, for the folders of links and for other lists.
    enum Meaning: Equatable {
        case nothing
        case place(Place)
        /// A folder in `search` or `lists` came or went.
        case asked
        /// Folders came, went or changed, or events were lost: everything has to be armed anew.
        case folders

        /// `watched`: the folder that it happened in; nil where that is not known.
        init(_ event: Inotify.Notice, in watched: Watched?) {
            switch (event.name, watched) {
            case (_, .search), (_, .lists): self = .asked
            case (nil, _), (_, nil): self = .folders
            case (let name?, .root): self = Self.names.contains(name) ? .folders : .nothing
            // A hidden folder is not watched: it counts as a place.
            case (let name?, .album(let album)):
                self = event.mask.contains(.folder) && !name.isHidden ? .folders : .place(Place(name, in: album))
            }
        }

        private static let names = [Tree.favorites, Tree.search, Tree.today, Tree.lists].map { Name($0) }
    }

    private let root: String
    private let isStopped: () -> Bool
    /// Opened before anything is watched, so that no mount is missed.
    private let mounts: File
    private let inotify: Inotify
    /// By their numbers.
    private var watched: [Int32: Watched] = [:]
    /// What was at each path when it was armed. An open folder could not be unmounted, and its deletion would cause no
    /// event, so only paths are kept.
    private var armed: [(path: [UInt8], identity: File.Identity)] = []
    /// Whether the root is watched: it shows when the favorites folder comes.
    private(set) var seesRoot = false

    /// Watches nothing yet. `isStopped`: whether to end early.
    init(root: String, unless isStopped: @escaping () -> Bool) throws {
        (self.root, self.isStopped) = (root, isStopped)
        mounts = try File.reading("/proc/self/mountinfo")
        inotify = try Inotify()
    }

    /// Readable when there is a `next` event.
    var eventDescriptor: Int32 { inotify.descriptor }
    /// In an exceptional state when something was mounted or unmounted, until it is polled (proc_pid_mountinfo(5)).
    var mountDescriptor: Int32 { mounts.descriptor }

    /// The next event; nil if there is none at the moment.
    func next() -> Meaning? { inotify.next().map { Meaning($0, in: watched[$0.watch]) } }

    /// Whether a path leads elsewhere than when it was armed: a mount over a folder causes no event.
    var haveMoved: Bool { armed.contains { Self.identity(at: $0.path) != $0.identity } }

    func watchRoot() throws {
        // With the slash, a root that is a link is followed.
        let path = "\(root)/".bytes
        watched[try inotify.watch(path, for: [.names, .foldersOnly])] = .root
        seesRoot = true
        arm(path)
    }

    /// What cannot be watched is looked at when anything else changes.
    func watchOthers() {
        for (name, kind) in [(Tree.search, Watched.search), (Tree.lists, .lists)] {
            let path = "\(root)/\(name)".bytes
            if let number = try? inotify.watch(path, for: [.names, .foldersOnly, .noLinks]) { watched[number] = kind }
        }
    }

    func watchFavorites() throws {
        let root = try Folder.open(self.root)
        try Album.walk(in: root, unless: isStopped) { album, folder in
            do {
                let folder = try folder.get()
                try enter(album, folder)
                return try folder.albums()
            } catch {
                // It tells when what is mounted over an album is unmounted.
                if error.problem.isOtherMount { arm(album.path(below: self.root)) }
                // The folder around the album is watched, and shows when the album is back or may be read.
                guard album != .top, error.problem.isAboutOneFolder else { throw error }
                return []
            }
        }
    }

    /// Watches an album before it is read: what is made meanwhile is seen twice, but not missed.
    private func enter(_ album: Album, _ folder: Folder) throws {
        let path = album.path(below: root)
        watched[try inotify.watch(path, for: [.names, .written, .foldersOnly, .noLinks])] = .album(album)
        let identity = try folder.identity()
        guard Self.identity(at: path) == identity else { throw Problem("watch", folder.path, code: EAGAIN) }
        // On such a disk, inotify(7) misses what other machines do.
        if let kind = FileSystem.networkKind(of: "/proc/self/fd/\(folder.descriptor)") {
            throw Problem(.remote, kind, path: root)
        }
        armed.append((path, identity))
    }

    private func arm(_ path: [UInt8]) {
        if let identity = Self.identity(at: path) { armed.append((path, identity)) }
    }

    private static func identity(at path: [UInt8]) -> File.Identity? {
        path.withTerminated { File.identity(at: $0) }
    }
}

extension Problem {
    /// Whether the other folders can still be watched.
    var isAboutOneFolder: Bool { isDeadEnd || isAway || isOtherMount || errorNumber == EPERM }

    /// Whether another attempt may succeed at once.
    var isMomentary: Bool { [ENOENT, ENOTDIR, ELOOP, EAGAIN].contains(errorNumber) }
}
