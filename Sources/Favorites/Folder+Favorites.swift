package import Archive
package import Files

extension Folder {
    /// Of the mirror's root: the favorites folder, or an album in it; nil if there is none.
    package func favorites(_ album: Album) throws(DiskError) -> Folder? {
        var folder = try folder(Tree.favorites)
        for name in album.names { folder = try folder?.folder(name) }
        return folder
    }
}
