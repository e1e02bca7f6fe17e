internal import Catalog
internal import Files
import Glibc

/// What is watched at one time: the mirror's root, its favorites folder, and the albums in that, as many as there is
/// room for.
final class WatchSet {
    private let root: String
    private let isStopped: () -> Bool
    private let raceHook: RaceHook
    /// Opened before anything is watched, so that no mount is missed.
    private let mounts: File
    private let inotify: Inotify
    private var subjects: [Int32: WatchSubject] = [:]
    private var armed: [Armed] = []
    /// Whether the favorites folder will be seen to come.
    private(set) var seesRoot = false
    private var room: WatchRoom
    /// Room is kept for these.
    private let kept: Set<Album>
    /// For so many folders there was no room; what is in them is not counted.
    private(set) var unwatched = 0

    /// Nothing is watched yet. `kept`: albums that are watched before others, each with those that it is in. When it
    /// `isStopped`, work on a large tree ends early.
    init(
        root: String, room: WatchRoom, keeping kept: Set<Album>, raceHook: @escaping RaceHook,
        isStopped: @escaping () -> Bool
    ) throws(WatchError) {
        self.root = root
        self.room = room
        self.kept = self.room.take(kept)
        self.raceHook = raceHook
        self.isStopped = isStopped
        mounts = try WatchError.wrapping(try File.reading("/proc/self/mountinfo"))
        inotify = try Inotify()
    }

    /// Readable when there is a `next` change.
    var eventDescriptor: Int32 { inotify.descriptor }
    /// In an exceptional state when something was mounted or unmounted, until it is polled (proc_pid_mountinfo(5)).
    var mountDescriptor: Int32 { mounts.descriptor }

    /// What has happened since the last time; nil when that was all.
    func next() -> FolderEvent? { inotify.next().map { FolderEvent($0, to: subjects[$0.watch]) } }

    private struct Armed {
        let path: [UInt8]
        let identity: File.Identity

        var hasMoved: Bool { WatchSet.identity(at: path) != identity }
    }

    /// Whether a path leads elsewhere than when it was armed: no event tells of what is mounted over a folder. None of
    /// them is kept open: they could not be unmounted, and their deletion would not be told.
    var haveMoved: Bool { armed.contains(where: \.hasMoved) }

    func watchRoot() throws(WatchError) {
        // The person may have meant a link; with the slash, it is followed.
        let path = Array("\(root)/".utf8)
        try watch(.root, at: path, for: [.entries, .selves, .foldersOnly])
        seesRoot = true
        if let identity = Self.identity(at: path) { armed.append(Armed(path: path, identity: identity)) }
    }

    func watchFavorites() throws(WatchError) {
        let root = try WatchError.wrapping(try Folder.open(self.root))
        let walk = AlbumWalk(in: root, isStopped: isStopped, where: hasRoom)
        for (album, folder) in walk {
            do throws(WatchError) {
                try enter(album, try WatchError.wrapping(try folder.get()))
            } catch {
                if case .disk(let error) = error, error.isOtherMount { arm(album) }
                // The folder around it is watched: its return, or its permission to be read, will be seen there.
                guard album != .top, error.isAboutOneFolder else { throw error }
                walk.skipAlbums()
            }
        }
    }

    private func hasRoom(for album: Album) -> Bool {
        if kept.contains(album) || room.fits(album) { return true }
        unwatched += 1
        return false
    }

    /// First it is watched, then read: what is made in between is seen twice, but not missed.
    private func enter(_ album: Album, _ folder: Folder) throws(WatchError) {
        let path = album.path(below: root)
        try watch(.album(album), at: path, for: [.entries, .written, .selves, .foldersOnly, .noLinks])
        if album != .top, !kept.contains(album) { room.take(album) }
        raceHook(.watched(album))
        let identity = try WatchError.wrapping(try folder.identity())
        guard Self.identity(at: path) == identity else { throw .moving(path: folder.path) }
        // There, nobody tells of what other machines do.
        if let kind = FileSystem.networkKind(of: "/proc/self/fd/\(folder.descriptor)") { throw .network(kind: kind) }
        armed.append(Armed(path: path, identity: identity))
    }

    /// What is mounted there is not watched; the folder below it is, once that is unmounted.
    private func arm(_ album: Album) {
        let path = album.path(below: root)
        if let identity = Self.identity(at: path) { armed.append(Armed(path: path, identity: identity)) }
    }

    private func watch(_ subject: WatchSubject, at path: [UInt8], for mask: Inotify.Mask) throws(WatchError) {
        let number = try inotify.watch(path, for: mask)
        subjects[number] = subject
    }

    private static func identity(at path: [UInt8]) -> File.Identity? {
        (path + [0]).withUnsafeBytes { path in
            File.identity(at: path.baseAddress!.assumingMemoryBound(to: CChar.self))
        }
    }
}
