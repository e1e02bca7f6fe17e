internal import Archive
internal import Catalog
internal import Files
internal import Watching

extension FolderDiff {
    /// The fingerprints of folders are noted once something in them is remembered. What goes with this one is not taken
    /// for what somebody removed from it, then.
    mutating func noteFingerprint(
        of album: Album, _ folder: Folder, in root: Folder, _ catalog: Catalog
    ) throws(StorageError) {
        guard change.seen.contains(where: { $0.place.album == album && $0.meaning.day != nil }),
            try catalog.fingerprint(of: album) == nil, let own = try? folder.fingerprint()
        else { return }
        for outer in album.way.dropLast() {
            // Whoever has replaced it since is seen by the next scan.
            guard try catalog.fingerprint(of: outer) == nil, let other = try? root.favorites(outer)?.fingerprint()
            else { continue }
            note(outer, other.text)
        }
        note(album, own.text)
    }
}
