import Apod
import Files
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct HostileMediaTests {
    private let table: Table

    init() throws { table = try Table() }

    private static let starts: [(MediaType, [UInt8])] = [
        (.jpeg, [0xff, 0xd8, 0xff]), (.png, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
        (.gif, Array("GIF89a".utf8)), (.webp, Array("RIFF\u{10}\0\0\0WEBPVP8X".utf8)),
        (.mp4, [0, 0, 0, 16] + Array("ftypisom".utf8)), (.quickTime, [0, 0, 0, 8] + Array("moov".utf8)),
        (.tiff, [0x49, 0x49, 0x2a, 0]), (.avif, [0, 0, 0, 16] + Array("ftypavif".utf8)),
    ]

    @Test("A hostile file of random bytes behind a good beginning does no harm", arguments: starts.indices)
    func random(index: Int) throws {
        let (type, start) = Self.starts[index]
        var dice = Random(seed: UInt64(index))
        for round in 0..<150 {
            let bytes = start + (0..<round * 3).map { _ in UInt8.random(in: .min ... .max, using: &dice) }
            #expect(MediaType(firstBytes: bytes)?.kind != .page)
            _ = try table.layout(bytes, type)
        }
    }

    @Test("A hostile file of whatever is a byte away from a good one does no harm", arguments: Specimen.all)
    func mutated(specimen: Specimen) throws {
        for index in 0..<min(specimen.bytes.count, 200) {
            for value in [0, 0x7f, 0xff] as [UInt8] {
                var bytes = specimen.bytes
                bytes[index] = value
                _ = try table.layout(bytes, specimen.type)
            }
        }
    }

    @Test(
        "A hostile file with segments of no length is soon seen through",
        arguments: [0xe0, 0xff, 0x00, 0xd8] as [UInt8])
    func noLength(marker: UInt8) throws {
        let start: [UInt8] = [0xff, 0xd8]
        let layout = try table.layout(start + (0..<30_000).flatMap { _ in [0xff, marker, 0, 0] as [UInt8] }, .jpeg)
        #expect(!layout.isWhole && layout.width == nil)
    }

    @Test("A hostile file of a great many nothings costs little time", arguments: [MediaType.jpeg, .mp4])
    func expensive(type: MediaType) throws {
        let unit: [UInt8] = type == .jpeg ? [UInt8](repeating: 0xff, count: 8) : [0, 0, 0, 8] + Array("free".utf8)
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

    @Test("A hostile file with a segment past its end is not whole", arguments: [0xe1, 0xfe, 0xdb] as [UInt8])
    func segmentPastEnd(marker: UInt8) throws {
        #expect(try !table.isWhole([0xff, 0xd8, 0xff, marker, 0xff, 0xff, 1, 2, 3, 4, 5], .jpeg))
    }

    @Test(
        "A hostile file with sub-blocks or colours past its end, without an image, or with an unknown block is not whole"
    )
    func gifs() throws {
        let start = Array("GIF89a".utf8) + [64, 0, 48, 0]
        let image: [UInt8] = [0, 0, 0, 0x2c, 0, 0, 0, 0, 64, 0, 48, 0, 0, 2, 255]
        for rest in [
            [0x87, 0, 0], [0, 0, 0, 0x3b], [0, 0, 0], [0, 0, 0, 0x99, 0], [0, 0, 0, 0x21, 0xf9, 255], image,
            image + [UInt8](repeating: 1, count: 254),
        ] as [[UInt8]] {
            #expect(try !table.isWhole(start + rest, .gif))
        }
    }

    @Test(
        "A hostile file with impossible boxes is not whole",
        arguments: [
            [0, 0, 0, 1], [0, 0, 0, 2], [0, 0, 0, 7], [0xff, 0xff, 0xff, 0xff], [0x7f, 0xff, 0xff, 0xff], [0, 0, 1, 0],
        ] as [[UInt8]])
    func boxes(size: [UInt8]) throws {
        let start: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0]
        #expect(try !table.isWhole(start + size + Array("mdat".utf8), .mp4))
        #expect(try !table.isWhole(start + size + Array("mdat".utf8) + [UInt8](repeating: 0xff, count: 8), .mp4))
        #expect(try !table.isWhole(start + size, .mp4))
    }

    @Test(
        "A hostile file with a long box that overflows is not whole",
        arguments: [
            [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], [0x80, 0, 0, 0, 0, 0, 0, 0], [0x40, 0, 0, 0, 0, 0, 0, 0],
            [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xf0], [0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 1],
        ] as [[UInt8]])
    func longBoxes(size: [UInt8]) throws {
        let start: [UInt8] = [0, 0, 0, 16] + Array("ftypisom".utf8) + [0, 0, 0, 0]
        let box = [0, 0, 0, 1] + Array("mdat".utf8) + size
        #expect(try !table.isWhole(start + box + [1, 2, 3], .mp4))
        #expect(try !table.isWhole(start + box + box + [0], .mp4))
    }

    @Test("A hostile file with a length that is not its own is not whole", arguments: [0x7fff_ffff, 0xffff_ffff, 309])
    func riff(size: Int) throws {
        var bytes = Specimen.named("WebP, lossy").bytes
        for index in 0..<4 { bytes[4 + index] = UInt8(size >> (8 * index) & 255) }
        #expect(try table.isWhole(bytes, .webp) == (size + 8 <= bytes.count))
    }
}
