internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

/// What is not recognised in the favorites folder is counted in full, and listed up to a limit.
extension Reconciler {
    func newProgress() throws(StorageError) -> Adoption.Progress {
        let growing = state.withLock(\.growing)
        return Adoption.Progress(
            own: OwnFolders(of: tree.root), growing: growing, room: try catalog.roomForUnrecognised(),
            compared: try catalog.fact(.compared))
    }

    /// Where not all is listed, there is another way to know what need not be compared again.
    func noteCompared(at start: Int) throws(StorageError) {
        if adoption.isStopped() || !state.withLock(\.isCrowded) { return }
        try catalog.setFact(.compared, start)
    }

    /// Returns whether as much is listed as can be.
    func count() throws(StorageError) -> Bool {
        let before = try catalog.fact(.unlisted) ?? 0
        guard before > 0 || state.withLock(\.isCrowded), let top = try? tree.root.favorites(.top) else { return true }
        let things = things(in: top)
        let unlisted = max(0, things - (try catalog.listed()))
        if unlisted != before { try catalog.setFact(.unlisted, unlisted) }
        let room = try catalog.roomForUnrecognised()
        state.withLock { $0.isCrowded = unlisted > 0 }
        guard unlisted > 0, room > 0 else { return true }
        try note(.everywhere)
        // What cannot be looked at is not listed, however often that is tried.
        return try catalog.roomForUnrecognised() == room
    }

    /// Whatever a scan could list.
    private func things(in top: Folder) -> Int {
        var count = 0
        let walk = AlbumWalk(in: tree.root, top: top)
        for case (let album, .success(let folder)) in walk {
            try? walk.visit(folder) { (name, kind) throws(StorageError) in
                let kind = if let kind { kind } else { try folder.kind(of: name) }
                if kind == .regular && name.text == HiddenFile.name { return }
                if kind == .folder && name.text == Tree.sharedThumbnails { return }
                let isAlbum = kind == .folder && !name.isHidden && album.depth < Album.deepest
                if !isAlbum, !Replacement.isTemporary(name) { count += 1 }
            }
        }
        return count
    }
}
