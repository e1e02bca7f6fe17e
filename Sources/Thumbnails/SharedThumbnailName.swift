import Apod
import CZlib
import Store

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

    private static let signature = "Software\0apod-mirror"

    /// A thumbnail with the URI and time that the standard asks for, and the program that made it. `png`: as the worker
    /// made it.
    func file(_ png: [UInt8], modified: Int) -> [UInt8] {
        let texts = ["Thumb::URI\0\(uri)", "Thumb::MTime\0\(modified)", Self.signature]
        return png.prefix(Self.header) + texts.flatMap(Self.chunk) + png.dropFirst(Self.header)
    }

    /// The bytes of a PNG file's signature and header (PNG specification, 5.2 and 11.2.2).
    private static let header = 33

    /// `text`: a keyword, a zero and the text, in ASCII (PNG specification, 5.3 and 11.3.4.3).
    private static func chunk(_ text: String) -> [UInt8] {
        let content = "tEXt\(text)".bytes
        func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        return bytes(UInt32(text.utf8.count)) + content + bytes(UInt32(crc32(0, content, UInt32(content.count))))
    }

    /// Whether a name has the form of a thumbnail's.
    static func canBe(_ name: String) -> Bool {
        let bytes = name.bytes
        return bytes.count == 36 && bytes.suffix(4).elementsEqual(".png".utf8)
            && bytes.prefix(32).allSatisfy("0123456789abcdef".utf8.contains)
    }

    /// Whether a file begins as this program writes it.
    static func isOwn(_ beginning: [UInt8]) -> Bool {
        beginning.indices.contains { beginning[$0...].starts(with: signature.utf8) }
    }

    /// The most bytes that the header and texts of a thumbnail take.
    static let longestBeginning = 1200
}
