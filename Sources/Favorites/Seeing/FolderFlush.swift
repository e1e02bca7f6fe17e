internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization

/// Brings favorites folders to the disk before the history says what is in them: after a power cut, a link that is
/// recorded but missing would count as removed by a person.
final class FolderFlush: Sendable {
    private let root: Folder
    private let raceHook: RaceHook
    /// The folders whose own names are on the disk.
    private let named = Mutex<[Album: String]>([:])

    init(root: Folder, raceHook: @escaping RaceHook = { _ in }) {
        self.root = root
        self.raceHook = raceHook
    }

    /// Syncs each album once, and the folder above it where its name is new; for an album that is gone, the folder that
    /// it was in. `files`: things that count by their content, which is synced, too.
    func sync(_ albums: Set<Album>, with files: [Album: [Name]] = [:]) throws(StorageError) {
        var synced: Synced = []
        for album in albums { try sync(album, with: files[album] ?? [], &synced) }
    }

    /// The folders that are on the disk; nil is the root.
    private typealias Synced = Set<Album?>

    private func sync(_ album: Album, with files: [Name], _ synced: inout Synced) throws(StorageError) {
        var (folder, reached) = (root, Album?.none)
        for (name, next) in zip([.favorites] + album.names, album.way) {
            guard let inner = try folder.inner(name) else { break }
            let fingerprint = try inner.fingerprint()
            if fingerprint == nil || named.withLock({ $0[next] }) != fingerprint {
                try sync(folder, of: reached, &synced)
                named.withLock { $0[next] = fingerprint }
            }
            (folder, reached) = (inner, next)
        }
        if reached == album { for name in files { folder.syncFile(name) } }
        try sync(folder, of: reached, &synced)
    }

    private func sync(_ folder: Folder, of album: Album?, _ synced: inout Synced) throws(StorageError) {
        guard synced.insert(album).inserted else { return }
        try folder.sync()
        raceHook(.synced(path: folder.path))
    }
}

extension Folder {
    fileprivate func syncFile(_ name: Name) {
        guard (try? facts(of: name))?.isRegular == true else { return }
        try? file(name)?.sync()
    }

    /// Returns nil for a folder that is missing or cannot be entered: nothing was seen in it, either.
    fileprivate func inner(_ name: Name) throws(StorageError) -> Folder? {
        do throws(StorageError) {
            return try folder(name)
        } catch {
            guard error.isDeadEnd else { throw error }
            return nil
        }
    }
}
