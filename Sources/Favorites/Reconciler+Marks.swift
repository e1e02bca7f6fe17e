internal import Archive
internal import Catalog
internal import Files
internal import Watching

extension Reconciler {
    /// Folders are marked once something in them is remembered. What goes with this one is not taken for what somebody
    /// removed from it, then.
    func mark(_ album: Album, _ folder: Folder, in seen: inout FolderDiff) throws(ArchiveError) {
        guard seen.change.seen.contains(where: { $0.place.album == album && $0.meaning.day != nil }),
            try mark(of: album) == nil, let own = try? folder.mark()
        else { return }
        for outer in album.way.dropLast() {
            // Whoever has replaced it since is seen by the next scan.
            guard try mark(of: outer) == nil, let mark = try? tree.root.favorites(outer)?.mark() else { continue }
            seen.mark(outer, mark.text)
        }
        seen.mark(album, own.text)
    }

    private func mark(of album: Album) throws(ArchiveError) -> String? {
        try remembering { catalog throws(CatalogError) in try catalog.mark(of: album) }
    }
}
