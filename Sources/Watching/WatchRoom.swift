internal import Archive
internal import Catalog

/// How many more albums can be watched. Each path is in memory several times.
package struct WatchRoom: Sendable {
    private var folders: Int
    /// The bytes left for all paths together.
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
}
