internal import Archive

/// The sizes in which file managers ask for thumbnails.
enum SharedSize: String, CaseIterable {
    case normal, large

    /// Of the square that they fit into, in pixels.
    var box: Int {
        switch self {
        case .normal: 128
        case .large: 256
        }
    }
}

/// How the thumbnail of a file is found by those who look into its folder (freedesktop.org, Thumbnail Managing Standard,
/// shared thumbnail repositories).
struct SharedThumbnailName {
    /// What is written into it.
    let uri: String
    /// What it is called: newer programs read the second, older ones the first.
    let names: [String]

    /// Of a file, in bytes.
    init(_ name: some Sequence<UInt8>) {
        let name = Array(name)
        uri = SharedThumbnail.uri(of: name)
        names = SharedThumbnail.digests(of: name).map { "\($0).png" }
    }

    init(_ name: String) { self.init(name.utf8) }

    private static let software = PNGText("Software", "apod-mirror")

    /// The program that made it is named behind the file, which it must tell of by its whole URI and its time.
    func texts(modified: Int) -> [PNGText] {
        [PNGText("Thumb::URI", uri), PNGText("Thumb::MTime", "\(modified)"), Self.software]
    }

    /// Whether something is called like one of these, or one that is still being written.
    static func canBe(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        let core = isTemporary(name) ? bytes.dropFirst().dropLast(temporary.utf8.count) : bytes[...]
        return core.count == 36 && core.suffix(4).elementsEqual(".png".utf8)
            && core.prefix(32).allSatisfy("0123456789abcdef".utf8.contains)
    }

    private static let temporary = ".part"

    static func temporary(_ name: String) -> String { ".\(name)\(temporary)" }

    static func isTemporary(_ name: String) -> Bool { name.hasPrefix(".") && name.hasSuffix(temporary) }

    /// Whether a file begins as this program writes it. What a power cut left empty is nobody's.
    static func isOwn(_ beginning: [UInt8]) -> Bool {
        let signature = software.bytes
        return beginning.isEmpty || beginning.indices.contains { beginning[$0...].starts(with: signature) }
    }

    /// Behind that, the pixels have begun.
    static let longestBeginning = 1200
}
