extension Pictures {
    /// One colour. The padding is a comment.
    package static func gif(width: Int = 64, height: Int = 48, bytes: Int = 2_000, seed: UInt64 = 1) -> Body {
        let colors: [UInt8] = [UInt8(seed & 255), UInt8(seed >> 3 & 255), UInt8(seed >> 6 & 255), 0, 0, 0]
        let size: [UInt8] = .little16(width) + .little16(height)
        let start = Array("GIF89a".utf8) + size + [0x80, 0, 0] + colors + [0x21, 0xfe]
        let end: [UInt8] = [0, 0x2c, 0, 0, 0, 0] + size + [0, 2] + blocks(pixels(width * height)) + [0, 0x3b]
        let padding = bytes - start.count - end.count - 9
        precondition(padding >= 0, "a GIF of this size needs at least \(bytes - padding) bytes")
        let length = 128
        let count = padding / length * length
        let first: [UInt8] = .seed(seed) + Random.filler(padding - count, seed: seed)
        let units = (0..<64).flatMap { [UInt8(length - 1)] + Random.filler(length - 1, seed: seed &+ $0) }
        return Body([.bytes(start + [UInt8(first.count)] + first), .repeated(units, count: count), .bytes(end)])
    }

    private static func blocks(_ data: [UInt8]) -> [UInt8] {
        stride(from: 0, to: data.count, by: 255).flatMap { start in
            let block = data[start..<min(start + 255, data.count)]
            return [UInt8(block.count)] + block
        }
    }

    /// Pixels of colour 0 in LZW: after the first, each code is the run one longer than that of the code before.
    private static func pixels(_ count: Int) -> [UInt8] {
        let (clear, end, first) = (4, 5, 6)
        var bits = BitWriter()
        var (rest, next) = (count, 4096)
        while rest > 0 {
            var run = 1
            if next == 4096 {
                bits.write(clear, width: rest == count ? 3 : 12)
                bits.write(0, width: 3)
                next = first
            } else {
                run = min(next - first + 2, rest)
                bits.write(run == 1 ? 0 : run + first - 2, width: width(of: next))
                next += 1
            }
            rest -= run
        }
        bits.write(end, width: width(of: min(next, 4095)))
        bits.finish()
        return bits.bytes
    }

    private static func width(of code: Int) -> Int { Int.bitWidth - code.leadingZeroBitCount }
}
