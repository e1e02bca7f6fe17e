extension Pictures {
    /// One colour. The padding is a private chunk, which decoders skip.
    package static func png(width: Int = 64, height: Int = 48, bytes: Int = 2_000, seed: UInt64 = 1) -> Body {
        let start: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", .big32(width) + .big32(height) + [1, 3, 0, 0, 0])
            + chunk("PLTE", [UInt8(seed & 255), UInt8(seed >> 3 & 255), UInt8(seed >> 6 & 255)])
        let end = chunk("IDAT", zeros((width + 7) / 8 * height + height)) + chunk("IEND", [])
        let padding = bytes - start.count - end.count - 20
        precondition(padding >= 0, "a PNG of this size needs at least \(bytes - padding) bytes")
        let count = padding / unit * unit
        let head = chunk("paDd", .seed(seed) + Random.filler(padding - count, seed: seed))
        let units = count == 0 ? [0] : chunk("paDd", Random.filler(unit - 12, seed: seed))
        return Body([.bytes(start + head), .repeated(units, count: count), .bytes(end)])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + content
        return .big32(content.count) + body + .big32(Int(checksum(body)))
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { code, _ in code & 1 == 1 ? 0xedb8_8320 ^ (code >> 1) : code >> 1 }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        let sum = table.withUnsafeBufferPointer { table in
            bytes.withUnsafeBufferPointer { bytes in
                var sum = UInt32.max
                for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ (sum >> 8) }
                return sum
            }
        }
        return sum ^ .max
    }

    /// Zeros as zlib packs them (RFC 1950, 1951): one literal, then copies of 258 bytes from one byte back.
    private static func zeros(_ count: Int) -> [UInt8] {
        var bits = BitWriter()
        bits.write(0b011, width: 3)
        let copies = (count - 1) / 258
        for _ in 0..<count - copies * 258 { bits.write(0b0000_1100, width: 8) }
        // Length 258 is code 11000101 from its first bit on, distance 1 is 00000.
        for _ in 0..<copies { bits.write(0b1010_0011, width: 13) }
        bits.write(0, width: 7)
        bits.finish()
        return [0x78, 0x01] + bits.bytes + .big32((count % 65_521) << 16 | 1)
    }
}
