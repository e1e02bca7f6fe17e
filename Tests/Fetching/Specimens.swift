import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

/// Small files of each format, whole, with what they are.
struct Specimen: Sendable, CustomTestStringConvertible {
    let name: String
    let type: MediaType
    let bytes: [UInt8]
    var width: Int? = 64
    var height: Int? = 48

    var testDescription: String { name }

    static let all = [
        Specimen(name: "JPEG", type: .jpeg, bytes: Pictures.jpeg().bytes),
        Specimen(name: "PNG", type: .png, bytes: Pictures.png(bytes: 1_000).bytes),
        Specimen(name: "GIF", type: .gif, bytes: Pictures.gif(bytes: 1_000).bytes),
        Specimen(name: "WebP, lossy", type: .webp, bytes: webp("VP8 ", lossy)),
        Specimen(name: "WebP, lossless", type: .webp, bytes: webp("VP8L", lossless)),
        Specimen(name: "WebP, extended", type: .webp, bytes: webp("VP8X", extended)),
        Specimen(name: "MP4", type: .mp4, bytes: Pictures.mp4(bytes: 1_000).bytes, width: nil, height: nil),
    ]

    static func named(_ name: String) -> Specimen { all.first { $0.name == name }! }

    /// 64 × 48 in each of the three kinds of header (RFC 9649, 2.5 to 2.7).
    private static let lossy: [UInt8] = [0, 0, 0, 0x9d, 0x01, 0x2a, 64, 0, 48, 0]
    private static let lossless: [UInt8] = [0x2f, 63, 47 << 6 & 0xff, 47 >> 2, 0]
    private static let extended: [UInt8] = [0, 0, 0, 0, 63, 0, 0, 47, 0, 0]

    private static func webp(_ name: String, _ start: [UInt8]) -> [UInt8] {
        let content = start + nulls(start.count % 2)
        let chunks =
            name.bytes + little(start.count) + content + "PADD".bytes + little(300)
            + nulls(300)
        return "RIFF".bytes + little(chunks.count + 4) + "WEBP".bytes + chunks
    }

    private static func little(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (8 * $0) & 255) } }
}

/// Files on a disk to look at, one after another in the same place.
struct Table {
    let home: TemporaryFolder
    let file: File

    init() throws {
        home = try TemporaryFolder()
        file = try Folder.open(home.path).makeFile("specimen")
    }

    func layout(_ bytes: some Collection<UInt8>, _ type: MediaType) throws -> MediaInspector {
        try file.truncate(to: 0)
        try file.append(Array(bytes))
        return try MediaInspector(of: file, type: type)
    }

    func isWhole(_ bytes: some Collection<UInt8>, _ type: MediaType) throws -> Bool { try layout(bytes, type).isWhole }
}
