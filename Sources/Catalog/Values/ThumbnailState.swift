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
    /// The thumbnails of a day's picture, or why none can be made of it.
    package struct ThumbnailState: Sendable, Equatable {
        package let day: Day
        /// The picture's SHA-256.
        package let source: Digest
        /// The version of the program that made them.
        package let version: Int
        /// Why there are none.
        package let refusal: String?
        package let hasScreens: Bool
        /// The sizes of the thumbnails for file managers, the smaller first; empty if there are none.
        package let sharedBytes: [Int]
        /// The bytes of the thumbnails in `gallery`.
        package let bytes: Int
        /// The picture's average colour, 0xRRGGBB.
        package let color: Int?

        package init(
            day: Day, source: Digest, version: Int, refusal: String? = nil, hasScreens: Bool = true,
            sharedBytes: [Int] = [], bytes: Int = 0, color: Int? = nil
        ) {
            self.day = day
            self.source = source
            self.version = version
            self.refusal = refusal
            self.hasScreens = hasScreens
            self.sharedBytes = sharedBytes
            self.bytes = bytes
            self.color = color
        }

        package var uses: ThumbnailUses {
            if refusal != nil { return [] }
            return ThumbnailUses(screens: hasScreens, fileManagers: !sharedBytes.isEmpty)
        }
    }
}
