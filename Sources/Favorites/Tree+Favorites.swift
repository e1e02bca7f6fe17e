package import Archive
package import Files

extension Tree {
    package static let favorites = "favorites"

    /// The favorites folder, or an album in it; nil if there is none.
    package func favorites(_ album: Album) throws(DiskError) -> Folder? {
        var folder = try root.folder(Self.favorites)
        for name in album.names { folder = try folder?.folder(name) }
        return folder
    }
}
