import Apod
import Decoding
import Store

/// The renditions to ask a worker for, and the check of its answer.
extension ThumbnailUses {
    var renditions: [Rendition] {
        (contains(.screens) ? GallerySize.allCases.map(\.rendition) : [])
            + (contains(.fileManagers) ? SharedSize.allCases.map { Rendition(.png, box: $0.box) } : [])
    }

    /// The files of an answer by their use; nil if they are not what was asked for, as hostile pictures may cause.
    func sorted(_ files: [[UInt8]]) -> MadeFiles? {
        guard files.count == renditions.count,
            zip(files, renditions).allSatisfy({ MediaType(firstBytes: $0) == $1.format.type })
        else { return nil }
        let screens = contains(.screens) ? GallerySize.allCases.count : 0
        return MadeFiles(screens: Array(files.prefix(screens)), shared: Array(files.dropFirst(screens)))
    }
}

extension GallerySize {
    fileprivate var rendition: Rendition {
        switch self {
        case .small: Rendition(.webp, box: 480)
        case .large: Rendition(.jpeg, box: 1280)
        }
    }
}

extension Rendition.Format {
    fileprivate var type: MediaType {
        switch self {
        case .jpeg: .jpeg
        case .webp: .webp
        case .png: .png
        }
    }
}

/// The smaller copies of one picture.
struct MadeFiles {
    /// The copies in `gallery`.
    let screens: [[UInt8]]
    let shared: [[UInt8]]
}
