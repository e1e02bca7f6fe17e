internal import Archive

/// The sizes in which file managers ask for thumbnails.
enum SharedSize: String, CaseIterable {
    case normal, large

    /// The side of the square that a thumbnail fits into, in pixels.
    var box: Int {
        switch self {
        case .normal: 128
        case .large: 256
        }
    }
}

/// The names of a file's thumbnail, and the texts in it (freedesktop.org, Thumbnail Managing Standard, shared
/// thumbnail repositories).
struct SharedThumbnailName {
    /// The file's URI, which is written into the thumbnail.
    let uri: String
    /// The thumbnail's names: older programs read the first, newer ones the second.
    let names: [String]

    /// `name`: the file's name.
    init(_ name: String) {
        uri = SharedThumbnail.uri(of: name.utf8)
        names = SharedThumbnail.digests(of: name.utf8).map { "\($0).png" }
    }

    private static let software = PNGText("Software", "apod-mirror")

    /// The URI and time that the standard asks for, then the program that made the thumbnail.
    func texts(modified: Int) -> [PNGText] {
        [PNGText("Thumb::URI", uri), PNGText("Thumb::MTime", "\(modified)"), Self.software]
    }

    /// Whether a name has the form of a thumbnail's, or of one that is still being written.
    static func canBe(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let core = isTemporary(name) ? bytes.dropFirst().dropLast(temporary.utf8.count) : bytes[...]
        return core.count == 36 && core.suffix(4).elementsEqual(".png".utf8)
            && core.prefix(32).allSatisfy("0123456789abcdef".utf8.contains)
    }

    private static let temporary = ".part"

    static func temporary(_ name: String) -> String { ".\(name)\(temporary)" }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(temporary) }

    /// Whether a file begins as this program writes it, or is empty, as after a power cut.
    static func isOwn(_ beginning: [UInt8]) -> Bool {
        let signature = software.bytes
        return beginning.isEmpty || beginning.indices.contains { beginning[$0...].starts(with: signature) }
    }

    /// The most bytes that the header and texts of a thumbnail take.
    static let longestBeginning = 1200
}
