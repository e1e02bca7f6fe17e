import TestSupport

/// A film that browsers play: a light crosses a sky. H.264 without compression, in an MP4.
///
/// Each frame has all its blocks as they are, and needs no other.
struct Film {
    private static let width = 192, height = 128
    private static let frames = 40, framesPerSecond = 10
    /// Blocks of 16 pixels.
    private static let columns = width / 16, rows = height / 16

    private let brightness: [[UInt8]]

    init(seed: UInt64) {
        var random = Random(seed: seed)
        let sky = (0..<Self.width * Self.height).map { _ in
            UInt8(Int.random(in: 0..<500, using: &random) == 0 ? 200 : 24)
        }
        brightness = (0..<Self.frames).map { frame in
            var pixels = sky
            let (x, y) = (frame * (Self.width - 20) / Self.frames + 10, 20 + frame)
            for row in -3...3 {
                for column in -3...3 where row * row + column * column <= 9 {
                    let place = (y + row) * Self.width + x + column
                    pixels[place] = UInt8(min(235, Int(pixels[place]) + 230 - 24 * (row * row + column * column)))
                }
            }
            return pixels
        }
    }

    var body: Body {
        let samples = (0..<Self.frames).map(sample)
        let mark = Self.box("ftyp", Array("isom".utf8) + Self.big(512) + Array("isomavc1mp41".utf8))
        let size = Self.movie(samples.map(\.count), at: 0).count
        let movie = Self.movie(samples.map(\.count), at: mark.count + size + 8)
        return Body(mark + movie + Self.box("mdat", samples.flatMap { $0 }))
    }

    /// One frame, behind its length.
    private func sample(_ frame: Int) -> [UInt8] {
        var bits = BitWriter()
        for number in [0, 7, 0] as [UInt] { bits.counted(number) }
        bits.add(0, 4)
        // Two that follow each other have different numbers. Nothing before counts.
        bits.counted(UInt(frame % 2))
        bits.add(0, 2)
        // The quality does not change, and no edge is smoothed.
        for number in [0, 1] as [UInt] { bits.counted(number) }
        for block in 0..<Self.columns * Self.rows {
            // As it is, without compression.
            bits.counted(25)
            bits.align(with: 0)
            bits.append(pixels(block, frame))
        }
        bits.end()
        let unit = [0x65] + bits.escaped
        return Self.big(unit.count) + unit
    }

    /// 256 of brightness, and no colour.
    private func pixels(_ block: Int, _ frame: Int) -> [UInt8] {
        let start = block / Self.columns * 16 * Self.width + block % Self.columns * 16
        let rows = (0..<16).flatMap { row -> ArraySlice<UInt8> in
            let begin = start + row * Self.width
            return brightness[frame][begin..<begin + 16]
        }
        return rows + [UInt8](repeating: 128, count: 128)
    }
}

/// The boxes of the MP4 (ISO 14496-12 and 14496-15).
extension Film {
    private static func big(_ number: Int) -> [UInt8] { .big32(number) }
    private static func short(_ number: Int) -> [UInt8] { .big16(number) }
    private static func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }

    private static func box(_ name: String, _ content: [UInt8]...) -> [UInt8] {
        let content = content.flatMap { $0 }
        return big(content.count + 8) + Array(name.utf8) + content
    }

    /// Not turned and not stretched.
    private static let matrix = [0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000].flatMap(big)

    private static func movie(_ sizes: [Int], at offset: Int) -> [UInt8] {
        let times = zeros(8) + big(framesPerSecond)
        let header =
            zeros(4) + times + big(frames) + big(0x10000) + short(256) + zeros(10) + matrix + zeros(24) + big(2)
        let track = big(7) + zeros(8) + big(1) + zeros(4) + big(frames) + zeros(16) + matrix + big(width << 16)
        let media = zeros(4) + times + big(frames) + short(0x55c4) + zeros(2)
        let handler = zeros(8) + Array("vide".utf8) + zeros(13)
        let data = box("dinf", box("dref", zeros(4), big(1), box("url ", big(1))))
        let information = box("minf", box("vmhd", big(1), zeros(8)), data, table(sizes, at: offset))
        return box(
            "moov", box("mvhd", header),
            box(
                "trak", box("tkhd", track, big(height << 16)),
                box("mdia", box("mdhd", media), box("hdlr", handler), information)))
    }

    private static func table(_ sizes: [Int], at offset: Int) -> [UInt8] {
        let sequence = [0x67] + sequenceParameters
        let picture = [0x68] + pictureParameters
        let codec = box(
            "avcC", [1, 66, 0xc0, 31, 0xff, 0xe1], short(sequence.count), sequence, [1], short(picture.count), picture)
        let entry =
            zeros(6) + short(1) + zeros(16) + short(width) + short(height) + big(0x48_0000) + big(0x48_0000) + zeros(4)
            + short(1) + zeros(32) + short(24) + [255, 255]
        return box(
            "stbl", box("stsd", zeros(4), big(1), box("avc1", entry, codec)),
            box("stts", zeros(4), big(1), big(frames), big(1)),
            box("stsc", zeros(4), big(1), big(1), big(frames), big(1)),
            box("stsz", zeros(8), big(frames), sizes.flatMap(big)), box("stco", zeros(4), big(1), big(offset)))
    }

    /// Baseline, whole frames, each shown in the order in which it comes (ITU-T H.264, 7.3.2.1).
    private static var sequenceParameters: [UInt8] {
        var bits = BitWriter()
        bits.append([66, 0xc0, 31])
        for number in [0, 0, 2, 1] { bits.counted(UInt(number)) }
        bits.add(0, 1)
        bits.counted(UInt(columns - 1))
        bits.counted(UInt(rows - 1))
        bits.add(0b1000, 4)
        bits.end()
        return bits.escaped
    }

    /// The simplest of everything, but that edges may stay as they are (7.3.2.2).
    private static var pictureParameters: [UInt8] {
        var bits = BitWriter()
        for _ in 0..<2 { bits.counted(0) }
        bits.add(0, 2)
        for _ in 0..<3 { bits.counted(0) }
        bits.add(0, 3)
        for _ in 0..<3 { bits.counted(0) }
        bits.add(0b100, 3)
        bits.end()
        return bits.escaped
    }
}

/// Bits, the first the highest of a byte.
private struct BitWriter {
    private var bytes: [UInt8] = []
    private var free = 0

    mutating func add(_ value: UInt, _ count: Int) {
        for bit in stride(from: count - 1, through: 0, by: -1) {
            if free == 0 {
                bytes.append(0)
                free = 8
            }
            free -= 1
            bytes[bytes.count - 1] |= UInt8(value >> bit & 1) << free
        }
    }

    /// Exp-Golomb: as many zeros as the number has bits but one, then these.
    mutating func counted(_ value: UInt) {
        let bits = UInt.bitWidth - (value + 1).leadingZeroBitCount
        add(0, bits - 1)
        add(value + 1, bits)
    }

    mutating func align(with bit: UInt) { while free > 0 { add(bit, 1) } }

    /// Bytes as they are, where one begins.
    mutating func append(_ more: [UInt8]) { bytes += more }

    mutating func end() {
        add(1, 1)
        align(with: 0)
    }

    /// Nothing in it looks like the beginning of another unit.
    var escaped: [UInt8] {
        var result: [UInt8] = []
        var zeros = 0
        for byte in bytes {
            if zeros == 2, byte <= 3 {
                result.append(3)
                zeros = 0
            }
            result.append(byte)
            zeros = byte == 0 ? zeros + 1 : 0
        }
        return result
    }
}
