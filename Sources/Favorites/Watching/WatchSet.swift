internal import Archive
internal import Catalog
internal import Files
import Glibc

/// The folders watched at one time: the mirror's root, its favorites folder, and all albums.
final class WatchSet {
    private let root: String
    private let isStopped: () -> Bool
    private let raceHook: RaceHook
    /// Opened before anything is watched, so that no mount is missed.
    private let mounts: File
    private let inotify: Inotify
    private var subjects: [Int32: WatchedFolder] = [:]
    private var armed: [Armed] = []
    /// Whether the root is watched: it shows when the favorites folder comes.
    private(set) var seesRoot = false

    /// Watches nothing yet. `isStopped`: whether to end early.
    init(root: String, raceHook: @escaping RaceHook, isStopped: @escaping () -> Bool) throws(WatchError) {
        self.root = root
        self.raceHook = raceHook
        self.isStopped = isStopped
        mounts = try WatchError.wrapping(try File.reading("/proc/self/mountinfo"))
        inotify = try Inotify()
    }

    /// Readable when there is a `next` event.
    var eventDescriptor: Int32 { inotify.descriptor }
    /// In an exceptional state when something was mounted or unmounted, until it is polled (proc_pid_mountinfo(5)).
    var mountDescriptor: Int32 { mounts.descriptor }

    /// The next event; nil if there is none at the moment.
    func next() -> FolderEvent? { inotify.next().map { FolderEvent($0, to: subjects[$0.watch]) } }

    private struct Armed {
        let path: [UInt8]
        let identity: File.Identity

        var hasMoved: Bool { WatchSet.identity(at: path) != identity }
    }

    /// Whether a path leads elsewhere than when it was armed: a mount over a folder causes no event. An open folder
    /// could not be unmounted, and its deletion would cause no event, so only paths are kept.
    var haveMoved: Bool { armed.contains(where: \.hasMoved) }

    func watchRoot() throws(WatchError) {
        // With the slash, a root that is a link is followed.
        let path = Array("\(root)/".utf8)
        try watch(.root, at: path, for: [.names, .foldersOnly])
        seesRoot = true
        arm(path)
    }

    func watchFavorites() throws(WatchError) {
        let root = try WatchError.wrapping(try Folder.open(self.root))
        try Album.walk(in: root, unless: isStopped) { (album, folder) throws(WatchError) in
            do throws(WatchError) {
                let folder = try WatchError.wrapping(try folder.get())
                try enter(album, folder)
                return try WatchError.wrapping(try folder.albums())
            } catch {
                if case .disk(let error) = error, error.isOtherMount { arm(album.path(below: self.root)) }
                // The folder around the album is watched, and shows when the album is back or may be read.
                guard album != .top, error.isAboutOneFolder else { throw error }
                return []
            }
        }
    }

    /// Watches an album before it is read: what is made meanwhile is seen twice, but not missed.
    private func enter(_ album: Album, _ folder: Folder) throws(WatchError) {
        let path = album.path(below: root)
        try watch(.album(album), at: path, for: [.names, .written, .foldersOnly, .noLinks])
        raceHook(.watched(album))
        let identity = try WatchError.wrapping(try folder.identity())
        guard Self.identity(at: path) == identity else { throw .passing("a folder was moved") }
        // On such a disk, inotify(7) misses what other machines do.
        if let kind = FileSystem.networkKind(of: "/proc/self/fd/\(folder.descriptor)") { throw .network(kind: kind) }
        armed.append(Armed(path: path, identity: identity))
    }

    /// Notes what is at a path. For an album that something is mounted over, `haveMoved` tells when it is unmounted.
    private func arm(_ path: [UInt8]) {
        if let identity = Self.identity(at: path) { armed.append(Armed(path: path, identity: identity)) }
    }

    private func watch(_ subject: WatchedFolder, at path: [UInt8], for mask: Inotify.Mask) throws(WatchError) {
        let number = try inotify.watch(path, for: mask)
        subjects[number] = subject
    }

    private static func identity(at path: [UInt8]) -> File.Identity? {
        path.withTerminated { File.identity(at: $0) }
    }
}
