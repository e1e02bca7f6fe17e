/// The kinds of file that a day can have, known by their first bytes.
package enum MediaType: String, Sendable, CaseIterable {
    case jpeg = "image/jpeg"
    case png = "image/png"
    case gif = "image/gif"
    case webp = "image/webp"
    case tiff = "image/tiff"
    case bmp = "image/bmp"
    case avif = "image/avif"
    case mp4 = "video/mp4"
    case quickTime = "video/quicktime"
    case webm = "video/webm"
    case mpeg = "video/mpeg"
    case windowsMedia = "video/x-ms-wmv"
    case avi = "video/x-msvideo"
    case html = "text/html"

    package enum Kind: String, Sendable { case image, video, page }

    package var kind: Kind {
        if self == .html { return .page }
        return rawValue.hasPrefix("image/") ? .image : .video
    }

    package var suffix: String {
        switch self {
        case .jpeg: "jpg"
        case .tiff: "tif"
        case .quickTime: "mov"
        case .mpeg: "mpg"
        case .windowsMedia: "wmv"
        case .avi: "avi"
        case .png, .gif, .webp, .bmp, .avif, .mp4, .webm, .html: String(rawValue.split(separator: "/")[1])
        }
    }

    /// How many bytes `init(firstBytes:)` wants to see.
    package static let signatureLength = 16

    /// The type of a file with these first bytes; nil for anything that is neither a picture nor a video.
    package init?(firstBytes bytes: some Collection<UInt8>) {
        let bytes = Array(bytes.prefix(Self.signatureLength))
        func has(_ text: String, at offset: Int = 0) -> Bool { bytes.dropFirst(offset).starts(with: text.utf8) }
        func has(_ signature: [UInt8]) -> Bool { bytes.starts(with: signature) }

        if has([0xff, 0xd8, 0xff]) {
            self = .jpeg
        } else if has([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]) {
            self = .png
        } else if has("GIF87a") || has("GIF89a") {
            self = .gif
        } else if has("RIFF"), has("WEBP", at: 8) {
            self = .webp
        } else if has("RIFF"), has("AVI ", at: 8) {
            self = .avi
        } else if has([0x49, 0x49, 0x2a, 0]) || has([0x4d, 0x4d, 0, 0x2a]) {
            self = .tiff
        } else if has("BM"), bytes.count >= 10, bytes[6..<10].allSatisfy({ $0 == 0 }) {
            self = .bmp
        } else if has("ftypavif", at: 4) || has("ftypavis", at: 4) {
            self = .avif
        } else if has("ftypqt", at: 4) || has("moov", at: 4) || has("mdat", at: 4) || has("wide", at: 4) {
            self = .quickTime
        } else if has("ftyp", at: 4) {
            self = .mp4
        } else if has([0x1a, 0x45, 0xdf, 0xa3]) {
            self = .webm
        } else if has([0, 0, 1, 0xba]) || has([0, 0, 1, 0xb3]) {
            self = .mpeg
        } else if has([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11]) {
            self = .windowsMedia
        } else {
            return nil
        }
    }

    /// The kind that an extension (in lower case) suggests; nil for an unknown one.
    package static func kind(ofExtension suffix: String) -> Kind? {
        switch suffix {
        case "jpg", "jpeg", "png", "gif", "webp", "tif", "tiff", "bmp", "avif": .image
        case "mp4", "m4v", "mov", "qt", "webm", "mpg", "mpeg", "wmv", "avi": .video
        case "html", "htm", "pdf", "php": .page
        default: nil
        }
    }
}
