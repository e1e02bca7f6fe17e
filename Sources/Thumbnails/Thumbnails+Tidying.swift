import Apod
import Files
package import Store

extension Thumbnails {
    /// Removes the kinds that are not in `uses`, and compares the others with the catalog: lost files are made again,
    /// unknown ones are removed. When stopped, the next call does the rest.
    package func tidy() throws {
        if uses.contains(.screens) {
            try tidyScreens()
        } else {
            try removeScreens()
        }
        if Task.isCancelled { return }
        if uses.contains(.fileManagers) {
            try tidyShared()
        } else {
            try removeAllShared()
        }
    }

    /// Removes the thumbnails of pictures that are gone. When stopped, the next call does the rest.
    package func removeStale(in scope: Scope = .all) throws {
        let stale = try catalog.staleThumbnails(in: scope)
        if stale.isEmpty { return }
        var gone = try removeFiles(of: stale)
        for picture in gone {
            if Task.isCancelled { gone.remove(picture) } else { try removeShared(of: picture) }
        }
        // After the files: a call that is cut off in between is repeated.
        try catalog.forgetThumbnails(of: gone)
    }

    /// The paths to tell of: those for screens or, without them, those for file managers.
    func paths(of picture: PictureKey, _ stored: Item.Stored, _ uses: ThumbnailUses) -> [String] {
        uses.contains(.screens) ? GallerySize.paths(of: picture) : Self.sharedPaths(of: stored)
    }
}
