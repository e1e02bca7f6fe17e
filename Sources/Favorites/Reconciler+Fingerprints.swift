internal import Archive
internal import Catalog
internal import Files
internal import Watching

extension Reconciler {
    /// The fingerprints of folders are noted once something in them is remembered. What goes with this one is not taken
    /// for what somebody removed from it, then.
    func noteFingerprint(of album: Album, _ folder: Folder, in seen: inout FolderDiff) throws(ArchiveError) {
        guard seen.change.seen.contains(where: { $0.place.album == album && $0.meaning.day != nil }),
            try fingerprint(of: album) == nil, let own = try? folder.fingerprint()
        else { return }
        for outer in album.way.dropLast() {
            // Whoever has replaced it since is seen by the next scan.
            guard try fingerprint(of: outer) == nil, let fingerprint = try? tree.root.favorites(outer)?.fingerprint()
            else { continue }
            seen.note(outer, fingerprint.text)
        }
        seen.note(album, own.text)
    }

    private func fingerprint(of album: Album) throws(ArchiveError) -> String? {
        try remembering { catalog throws(CatalogError) in try catalog.fingerprint(of: album) }
    }
}
