import Apod

/// Small media that are what they say: every decoder opens them, and a seed makes them differ everywhere.
///
/// The padding is repeated, so that 300 MB need no memory. They are as long as asked for; asking for less than a
/// format needs is a mistake of the test.
package enum Pictures {
    /// The padding comes in units of this length, each complete in its format.
    static let unit = 32_768

    /// One grey tone. A file too short for the whole picture keeps its size in the header and has fewer blocks.
    package static func jpeg(width: Int = 64, height: Int = 48, bytes: Int = 2_000, seed: UInt64 = 1) -> Body {
        let start: [UInt8] =
            [0xff, 0xd8] + segment(0xe0, "JFIF".bytes + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0])
            + segment(0xdb, [0] + [UInt8](repeating: 8, count: 64))
            + segment(0xc0, [8] + .big16(height) + .big16(width) + [1, 1, 0x11, 0])
            // DC differences of 0 bits (code 0) and 6 bits (code 10); AC has only the end of block (code 0).
            + segment(0xc4, [0, 1, 1] + nulls(14) + [0, 6])
            + segment(0xc4, [0x10, 1] + nulls(15) + [0])
        let scanHeader = segment(0xda, [1, 1, 0, 0, 63, 0])
        let fixed = start.count + scanHeader.count + 2
        let room = bytes - fixed - 12
        precondition(room > 0, "a JPEG needs at least \(fixed + 13) bytes")
        let scan = jpegScan(width: width, height: height, limit: room, seed: seed)
        let (head, units, count) = jpegPadding(bytes - fixed - scan.count, seed: seed)
        return Body([
            .bytes(start + head), .repeated(units, count: count), .bytes(scanHeader + scan + [0xff, 0xd9]),
        ])
    }

    private static func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
        [0xff, marker] + .big16(content.count + 2) + content
    }

    /// The first block sets the tone, all others (two zero bits each) repeat it.
    private static func jpegScan(width: Int, height: Int, limit: Int, seed: UInt64) -> [UInt8] {
        let blocks = ((width + 7) / 8) * ((height + 7) / 8)
        let size = min((2 * blocks + 7 + 7) / 8, limit)
        return [0x80 | UInt8(seed & 0x3f)] + nulls(size - 1)
    }

    /// Comments: a first one with the seed, as long as it takes, then units.
    private static func jpegPadding(_ size: Int, seed: UInt64) -> (head: [UInt8], unit: [UInt8], count: Int) {
        let count = (size - 12) / unit * unit
        let head = segment(0xfe, .seed(seed) + Random.filler(size - 12 - count, seed: seed))
        return (head, count == 0 ? [0] : segment(0xfe, Random.filler(unit - 4, seed: seed)), count)
    }

    /// A moov box with nothing to play, then an mdat box.
    package static func mp4(bytes: Int = 4_000, seed: UInt64 = 1) -> Body {
        let header = nulls(12) + .big32(1000) + nulls(80)
        let start =
            box("ftyp", "isom".bytes + .big32(512) + "isommp42".bytes)
            + box("moov", box("mvhd", header + .big32(1))) + box("free", .seed(seed))
        let content = bytes - start.count - 8
        precondition(content >= 0, "an MP4 needs at least \(start.count + 8) bytes")
        let mark: [UInt8] = .big32(content + 8) + "mdat".bytes
        return Body([.bytes(start + mark), .repeated(Random.filler(unit, seed: seed), count: content)])
    }

    private static func box(_ name: String, _ content: [UInt8]) -> [UInt8] {
        .big32(content.count + 8) + name.bytes + content
    }
}
