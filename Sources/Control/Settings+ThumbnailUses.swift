package import Catalog
package import Configuration

extension Settings {
    /// The kinds of thumbnails that the settings want.
    package var thumbnailUses: ThumbnailUses {
        ThumbnailUses(screens: gallery == .yes, fileManagers: thumbnails == .yes)
    }
}
