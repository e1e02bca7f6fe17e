internal import Archive
internal import Catalog

/// How many albums can be watched: for each, its path is in memory several times.
package struct WatchRoom: Sendable {
    private var folders: Int
    /// Of all their paths together.
    private var bytes: Int

    package init(folders: Int = 10_000, bytes: Int = 2_000_000) {
        self.folders = folders
        self.bytes = bytes
    }

    func fits(_ album: Album) -> Bool { folders > 0 && bytes >= album.path.count }

    mutating func take(_ album: Album) {
        folders -= 1
        bytes -= album.path.count
    }

    /// Returns those for which there is room. An album can be reached only where those that it is in are watched.
    mutating func take(_ albums: Set<Album>) -> Set<Album> {
        var taken: Set<Album> = []
        for album in albums.sorted(by: { $0.path.count < $1.path.count }) where album != .top && fits(album) {
            take(album)
            taken.insert(album)
        }
        return taken
    }
}
