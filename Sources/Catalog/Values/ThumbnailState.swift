package import Apod

/// What is made of the pictures.
package struct ThumbnailUses: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package init(screens: Bool, fileManagers: Bool) {
        self = screens ? .screens : []
        if fileManagers { insert(.fileManagers) }
    }

    /// Those in `gallery`.
    package static let screens = ThumbnailUses(rawValue: 1)
    /// Those in `.sh_thumbnails`, and attributes of the files.
    package static let fileManagers = ThumbnailUses(rawValue: 2)
    package static let all: ThumbnailUses = [.screens, .fileManagers]
}

extension Catalog {
    /// What thumbnails were made of, or that none can be made of a picture.
    package struct ThumbnailState: Sendable, Equatable {
        package let day: Day
        /// Of the picture.
        package let source: Digest
        /// Of the program that made them.
        package let version: Int
        /// Why there are none.
        package let refusal: String?
        /// The picture is cut off, or its bytes are not what they should be; nothing but its decoding shows that.
        package let isDamaged: Bool
        package let hasScreens: Bool
        /// The sizes of those for file managers, the smaller first; none where they are not made.
        package let sharedBytes: [Int]
        /// Of the files in `gallery`.
        package let bytes: Int

        package init(
            day: Day, source: Digest, version: Int, refusal: String? = nil, isDamaged: Bool = false,
            hasScreens: Bool = true, sharedBytes: [Int] = [], bytes: Int = 0
        ) {
            self.day = day
            self.source = source
            self.version = version
            self.refusal = refusal
            self.isDamaged = isDamaged
            self.hasScreens = hasScreens
            self.sharedBytes = sharedBytes
            self.bytes = bytes
        }

        package var uses: ThumbnailUses {
            if refusal != nil { return [] }
            return ThumbnailUses(screens: hasScreens, fileManagers: !sharedBytes.isEmpty)
        }
    }
}
