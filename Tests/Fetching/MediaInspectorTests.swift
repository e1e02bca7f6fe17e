import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct MediaInspectorTests {
    private let table: Table

    init() throws { table = try Table() }

    @Test("A whole file tells its size, and one that is cut anywhere is not whole", arguments: Specimen.all)
    func whole(specimen: Specimen) throws {
        #expect(MediaType(firstBytes: specimen.bytes) == specimen.type)
        let layout = try table.layout(specimen.bytes, specimen.type)
        #expect(layout.isWhole && layout.bytes == specimen.bytes.count)
        #expect(layout.width == specimen.width && layout.height == specimen.height)
        // Some programs append bytes behind a picture's end.
        let longer = specimen.bytes + [UInt8](repeating: 0xaa, count: 60_000)
        #expect(try table.isWhole(longer, specimen.type) == (specimen.type != .mp4))
        // Some old GIFs lack the trailer, one byte: without it, they count as whole.
        let missing = specimen.type == .gif ? 2 : 1
        for length in 0...specimen.bytes.count - missing {
            #expect(try !table.isWhole(specimen.bytes[..<length], specimen.type), "cut at \(length)")
        }
    }

    /// The thumbnail that a camera or a program puts in front is a JPEG itself, with an end of its own.
    @Test("A JPEG's size is that of its first frame, and its end is not that of a thumbnail inside")
    func jpeg() throws {
        let bytes = Pictures.jpeg(bytes: 40_000).bytes
        let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xff, 0xc0]) })
        let inner = Pictures.jpeg(width: 16, height: 16, bytes: 600).bytes
        let head: [UInt8] = [0xff, 0xe1, UInt8((inner.count + 2) >> 8), UInt8((inner.count + 2) & 255)]
        let tables = ([0xc4, 0xc8, 0xcc] as [UInt8]).map { [0xff, $0, 0, 19] + [UInt8](repeating: 1, count: 17) }
        let segments = [head + inner] + tables + [[UInt8](repeating: 0xff, count: 300)]
        for marker in [0xc0, 0xc1, 0xc3, 0xc9, 0xcf] as [UInt8] {
            for segment in segments {
                let start = bytes[..<2] + segment + bytes[2..<frame]
                let whole = start + [0xff, marker] + bytes[(frame + 2)...]
                let layout = try table.layout(whole, .jpeg)
                #expect(layout.isWhole && layout.width == 64 && layout.height == 48)
                for length in [700, 39_000, whole.count - 1] {
                    #expect(try !table.isWhole(whole[..<length], .jpeg), "cut at \(length)")
                }
            }
        }
    }

    private static func box(_ name: String, _ content: [UInt8] = [], size: Int? = nil) -> [UInt8] {
        let size = size ?? content.count + 8
        return .big32(size) + name.bytes + content
    }

    @Test(
        "A video is whole only if it has both the index and the content",
        arguments: [
            ("ftyp moov", false), ("ftyp moof mdat", false), ("ftyp free wide", false), ("", false),
            ("ftyp moov mdat", true), ("wide mdat moov", true), ("ftyp moov moof mdat moof mdat mfra", true),
            ("ftyp moov sidx moof", false),
        ])
    func video(boxes: String, isWhole: Bool) throws {
        let names = boxes.split(separator: " ").map(String.init)
        #expect(try table.isWhole(names.flatMap { Self.box($0, [1, 2, 3, 4]) }, .mp4) == isWhole)
        let long = names.flatMap { Self.box($0, [0, 0, 0, 0, 0, 0, 0, 18, 1, 2], size: 1) }
        #expect(try table.isWhole(long, .mp4) == isWhole)
        let last = names.last.map { Self.box($0, [1, 2], size: 0) } ?? []
        #expect(try table.isWhole(names.dropLast().flatMap { Self.box($0) } + last, .quickTime) == isWhole)
    }

    private static let avif = box("ftyp", "avif".bytes + [0, 0, 0, 0])
    private static let mp4 = box("ftyp", "isom".bytes + [0, 0, 0, 0]) + box("moov")
    private static let gif = "GIF89a".bytes + [64, 0, 48, 0]
    private static let image: [UInt8] = [0, 0, 0, 0x2c, 0, 0, 0, 0, 64, 0, 48, 0, 0, 2, 255]

    /// The same with an X in this place.
    private static func spoilt(_ name: String, at index: Int) -> [UInt8] {
        var bytes = Specimen.named(name).bytes
        bytes[index] = "X"
        return bytes
    }

    private static let broken: [(MediaType, [UInt8])] =
        [0xe1, 0xfe, 0xdb].map { (.jpeg, [0xff, 0xd8, 0xff, $0, 0xff, 0xff, 1, 2, 3, 4, 5]) }
        + [0xe0, 0xff, 0x00, 0xd8].map { marker in
            (.jpeg, [0xff, 0xd8] + (0..<30_000).flatMap { _ in [0xff, marker, 0, 0] as [UInt8] })
        }
        + ([
            [0x87, 0, 0], [0, 0, 0, 0x3b], [0, 0, 0], [0, 0, 0, 0x99, 0], [0, 0, 0, 0x21, 0xf9, 255], image,
            image + [UInt8](repeating: 1, count: 254),
        ] as [[UInt8]]).map { (.gif, gif + $0) }
        + [(.png, spoilt("PNG", at: 12)), (.webp, spoilt("WebP, lossy", at: 12))]
        + [0x7f, 0xff].map { size in
            (
                .webp,
                Array(Specimen.named("WebP, lossy").bytes.prefix(4)) + [255, 255, 255, size]
                    + Specimen.named("WebP, lossy").bytes.dropFirst(8)
            )
        }
        + [[], box("mdat"), box("meta", [1], size: 20)].map { (.avif, avif + $0) }
        + [1, 2, 7, 256, 0x7fff_ffff, 0xffff_ffff].flatMap { size in
            [[], [UInt8](repeating: 0xff, count: 8)].map { (.mp4, mp4 + box("mdat", $0, size: size)) }
        }
        // Lengths of 8 bytes that overflow, or are shorter than their own head.
        + [[0x7f, 0xff], [0x80, 0], [0x40, 0], [0xff, 0xff], [0, 0]].flatMap { high in
            [0, 1, 0xf0, 0xff].map { low in
                (.mp4, mp4 + box("mdat", high + [UInt8](repeating: low, count: 6) + [1, 2, 3], size: 1))
            }
        }

    @Test("A broken file is not whole, and claims no impossible length", arguments: broken.indices)
    func notWhole(index: Int) throws {
        let (type, bytes) = Self.broken[index]
        #expect(try !table.isWhole(bytes, type))
    }

    @Test("An AVIF, and an animation, is whole with all its parts")
    func parts() throws {
        #expect(try table.isWhole(Self.avif + Self.box("meta", [1, 2, 3]) + Self.box("mdat", [4, 5]), .avif))
        let bytes = Pictures.gif(bytes: 1_000).bytes
        // All behind the header and its two colours, twice.
        let frames = Array(bytes[19..<bytes.count - 1])
        #expect(try table.isWhole(bytes[..<19] + frames + frames + [0x3b], .gif))
        #expect(try !table.isWhole(bytes[..<19] + frames + frames.dropLast(), .gif))
        #expect(try table.isWhole([UInt8](repeating: 1, count: 100), .tiff), "a format without an end")
    }

    @Test("A hostile file of a great many nothings costs little time", arguments: [MediaType.jpeg, .mp4])
    func expensive(type: MediaType) throws {
        let unit: [UInt8] = type == .jpeg ? [UInt8](repeating: 0xff, count: 8) : [0, 0, 0, 8] + "free".bytes
        try table.file.append(type == .jpeg ? [0xff, 0xd8] : [])
        let units = (0..<1 << 17).flatMap { _ in unit }
        for _ in 0..<16 { try table.file.append(units) }
        let start = Self.ownTime
        #expect(try !MediaInspector(of: table.file, type: type).isWhole)
        #expect(Self.ownTime - start < .seconds(3))
    }

    /// What this thread has worked, whatever others do at the same time.
    private static var ownTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
