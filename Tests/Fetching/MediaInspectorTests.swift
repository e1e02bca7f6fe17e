import Apod
import Files
import TestSupport
import Testing

@testable import Fetching

struct MediaInspectorTests {
    private let table: Table

    init() throws { table = try Table() }

    @Test("A file's layout tells the picture's size and that it is whole", arguments: Specimen.all)
    func whole(specimen: Specimen) throws {
        #expect(MediaType(firstBytes: specimen.bytes) == specimen.type)
        let layout = try table.layout(specimen.bytes, specimen.type)
        #expect(layout.isWhole)
        #expect(layout.bytes == specimen.bytes.count)
        #expect(layout.width == specimen.width && layout.height == specimen.height)
    }

    @Test("A file's layout tells that a file was cut, wherever that was", arguments: Specimen.all)
    func cut(specimen: Specimen) throws {
        // Some old GIFs lack the trailer, one byte: without it, they count as whole.
        let missing = specimen.type == .gif ? 2 : 1
        for length in 0...specimen.bytes.count - missing {
            let isWhole = try table.isWhole(specimen.bytes[..<length], specimen.type)
            #expect(!isWhole, "cut at \(length)")
        }
    }

    @Test("A file's layout tells a WebP's size without what says how it is to be scaled (RFC 6386, 9.1)")
    func scaledWebP() throws {
        let specimen = Specimen.named("WebP, lossy")
        var bytes = specimen.bytes
        for index in [27, 29] { bytes[index] |= 0xc0 }
        let layout = try table.layout(bytes, specimen.type)
        #expect(layout.isWhole && layout.width == specimen.width && layout.height == specimen.height)
    }

    @Test(
        "A file's layout allows what a program has put behind the end",
        arguments: ["JPEG", "PNG", "WebP, lossy", "GIF"])
    func trailing(name: String) throws {
        let specimen = Specimen.named(name)
        for count in [1, 1000, 60_000] {
            let layout = try table.layout(specimen.bytes + [UInt8](repeating: 0xaa, count: count), specimen.type)
            #expect(layout.isWhole && layout.width == 64)
        }
    }

    @Test(
        "A file's layout tells a picture's size by any of its frame headers",
        arguments: [0xc1, 0xc3, 0xc9, 0xcf] as [UInt8])
    func frames(marker: UInt8) throws {
        var bytes = Pictures.jpeg(width: 3000, height: 2000).bytes
        let index = try #require(bytes.indices.first { bytes[$0] == 0xff && bytes[$0 + 1] == 0xc0 })
        bytes[index + 1] = marker
        let layout = try table.layout(bytes, .jpeg)
        #expect(layout.width == 3000 && layout.height == 2000)
    }

    @Test(
        "A file's layout does not take what may stand before a JPEG's frame for one",
        arguments: [0xc4, 0xc8, 0xcc, 0xff] as [UInt8])
    func tables(marker: UInt8) throws {
        let bytes = Pictures.jpeg(width: 64, height: 48).bytes
        let fill = [UInt8](repeating: 0xff, count: 300)
        let segment = marker == 0xff ? fill : [0xff, marker, 0, 19] + [UInt8](repeating: 1, count: 17)
        let layout = try table.layout(bytes[..<2] + segment + bytes[2...], .jpeg)
        #expect(layout.isWhole && layout.width == 64 && layout.height == 48)
    }

    /// The thumbnail that a camera or a program puts in front is a JPEG itself, with an end of its own.
    @Test("A file's layout does not take the end of the thumbnail inside for that of the JPEG")
    func thumbnail() throws {
        let bytes = Pictures.jpeg(bytes: 40_000).bytes
        let inner = Pictures.jpeg(width: 16, height: 16, bytes: 600).bytes
        let segment = [0xff, 0xe1, UInt8((inner.count + 2) >> 8), UInt8((inner.count + 2) & 255)] + inner
        let whole = bytes[..<2] + segment + bytes[2...]
        let layout = try table.layout(whole, .jpeg)
        #expect(layout.isWhole && layout.width == 64 && layout.height == 48)
        for length in [700, 5_000, 39_000, whole.count - 100, whole.count - 1] {
            #expect(try !table.isWhole(whole[..<length], .jpeg), "cut at \(length)")
        }
    }

    @Test("A file's layout has no size where the header has none", arguments: ["JPEG", "PNG", "GIF"])
    func noSize(name: String) throws {
        let specimen = Specimen.named(name)
        let offset =
            switch specimen.type {
            case .png: 16
            case .gif: 6
            default:
                try #require(specimen.bytes.indices.first { specimen.bytes[$0...].starts(with: [0xff, 0xc0]) }) + 5
            }
        var bytes = specimen.bytes
        for index in offset..<offset + (specimen.type == .png ? 8 : 4) { bytes[index] = 0 }
        let layout = try table.layout(bytes, specimen.type)
        #expect(layout.width == nil && layout.height == nil)
    }

    @Test("A file's layout follows an animation to its end")
    func animation() throws {
        let bytes = Pictures.gif(bytes: 1_000).bytes
        // All behind the header and its two colours, twice.
        let frames = Array(bytes[19..<bytes.count - 1])
        let animation = bytes[..<19] + frames + frames + [0x3b]
        #expect(try table.isWhole(animation, .gif))
        #expect(try !table.isWhole(animation.dropLast(2), .gif))
    }

    private static func box(_ name: String, _ content: [UInt8] = [], size: Int? = nil) -> [UInt8] {
        let size = size ?? content.count + 8
        return (0..<4).map { UInt8(size >> (24 - 8 * $0) & 255) } + Array(name.utf8) + content
    }

    @Test(
        "A file's layout is that of a video only if it has both the index and the content",
        arguments: [
            (["ftyp", "moov"], false), (["ftyp", "moof", "mdat"], false), (["ftyp", "free", "wide"], false),
            ([], false), (["ftyp", "moov", "mdat"], true), (["wide", "mdat", "moov"], true),
            (["ftyp", "moov", "moof", "mdat", "moof", "mdat", "mfra"], true),
            (["ftyp", "moov", "sidx", "moof"], false),
        ])
    func video(names: [String], isWhole: Bool) throws {
        let bytes = names.flatMap { Self.box($0, [1, 2, 3, 4]) }
        #expect(try table.isWhole(bytes, .mp4) == isWhole)
        let long = names.flatMap { Self.box($0, [0, 0, 0, 0, 0, 0, 0, 18, 1, 2], size: 1) }
        #expect(try table.isWhole(long, .mp4) == isWhole)
        let last = names.last.map { Self.box($0, [1, 2], size: 0) } ?? []
        let rest = names.dropLast().flatMap { Self.box($0) } + last
        #expect(try table.isWhole(rest, .quickTime) == isWhole)
    }

    @Test("A file's layout of an AVIF has what the picture is made of, and an end")
    func avif() throws {
        let start = Self.box("ftyp", Array("avif".utf8) + [0, 0, 0, 0])
        let bytes = start + Self.box("meta", [1, 2, 3]) + Self.box("mdat", [4, 5])
        #expect(try table.isWhole(bytes, .avif))
        #expect(try !table.isWhole(bytes.dropLast(), .avif))
        #expect(try !table.isWhole(start, .avif))
        #expect(try !table.isWhole(start + Self.box("mdat"), .avif))
    }

    @Test("A file's layout of a PNG or a WebP begins with a picture's header")
    func headers() throws {
        var png = Specimen.named("PNG").bytes
        png[12] = UInt8(ascii: "X")
        #expect(try !table.isWhole(png, .png))
        var webp = Specimen.named("WebP, lossy").bytes
        webp[12] = UInt8(ascii: "X")
        #expect(try !table.isWhole(webp, .webp))
    }

    @Test(
        "A file's layout is not looked for in formats without an end",
        arguments: [MediaType.tiff, .bmp, .webm, .mpeg, .avi])
    func others(type: MediaType) throws {
        #expect(try table.isWhole([UInt8](repeating: 1, count: 100), type))
    }
}
