package import Apod

/// The kinds of thumbnails.
package struct ThumbnailUses: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package init(screens: Bool, fileManagers: Bool) {
        self = screens ? .screens : []
        if fileManagers { insert(.fileManagers) }
    }

    /// Thumbnails in `gallery`, for browsers.
    package static let screens = ThumbnailUses(rawValue: 1)
    /// Thumbnails in `.sh_thumbnails`.
    package static let fileManagers = ThumbnailUses(rawValue: 2)
    package static let all: ThumbnailUses = [.screens, .fileManagers]
}

extension Catalog {
    /// The thumbnails of a picture, or why none can be made of it.
    package struct ThumbnailState: Sendable, Equatable {
        package let picture: PictureKey
        /// The picture's SHA-256.
        package let source: Digest
        /// The version of the program that made them.
        package let version: Int
        /// Why there are none.
        package let refusal: String?
        /// The bytes of the thumbnails in `gallery`; nil if there are none.
        package let screenBytes: Int?
        /// The bytes of the thumbnails for file managers; nil if there are none.
        package let sharedBytes: Int?
        /// The picture's average colour, 0xRRGGBB.
        package let color: Int?

        package init(
            _ picture: PictureKey, source: Digest, version: Int, refusal: String? = nil, screenBytes: Int? = nil,
            sharedBytes: Int? = nil, color: Int? = nil
        ) {
            self.picture = picture
            self.source = source
            self.version = version
            self.refusal = refusal
            self.screenBytes = screenBytes
            self.sharedBytes = sharedBytes
            self.color = color
        }

        package var uses: ThumbnailUses {
            ThumbnailUses(screens: screenBytes != nil, fileManagers: sharedBytes != nil)
        }
    }
}
