package import Catalog
package import Configuration

extension Settings {
    /// What is made of the pictures.
    package var thumbnailUses: ThumbnailUses {
        ThumbnailUses(screens: gallery == .yes, fileManagers: thumbnails == .yes)
    }
}
