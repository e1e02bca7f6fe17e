internal import Apod
internal import Archive
internal import Catalog
internal import Decoding

/// The renditions to ask a worker for, and the check of its answer.
extension ThumbnailUses {
    var renditions: [Rendition] {
        (contains(.screens) ? GallerySize.allCases.map(\.rendition) : [])
            + (contains(.fileManagers) ? SharedSize.allCases.map { Rendition(.png, box: $0.box) } : [])
    }

    /// The files of an answer by their use; nil if they are not what was asked for, as hostile pictures may cause.
    func sorted(_ files: [[UInt8]]) -> MadeFiles? {
        guard files.count == renditions.count else { return nil }
        let screens = Array(files.prefix(contains(.screens) ? GallerySize.allCases.count : 0))
        guard zip(screens, GallerySize.allCases).allSatisfy({ MediaType(firstBytes: $0) == $1.type }) else {
            return nil
        }
        let shared = zip(files.dropFirst(screens.count), SharedSize.allCases).map { PNG($0, box: $1.box) }
        guard !shared.contains(where: { $0 == nil }) else { return nil }
        return MadeFiles(screens: screens, shared: shared.compactMap(\.self))
    }
}

extension GallerySize {
    fileprivate var rendition: Rendition {
        switch self {
        case .small: Rendition(.webp, box: 480)
        case .large: Rendition(.jpeg, box: 1280)
        }
    }

    fileprivate var type: MediaType {
        switch self {
        case .small: .webp
        case .large: .jpeg
        }
    }
}

/// The smaller copies of one picture.
struct MadeFiles {
    /// The copies in `gallery`.
    let screens: [[UInt8]]
    let shared: [PNG]
}
