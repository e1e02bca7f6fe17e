import Apod
import CZlib

extension Pictures {
    /// One colour. The padding is a private chunk, which decoders skip.
    package static func png(width: Int = 64, height: Int = 48, bytes: Int = 2_000, seed: UInt64 = 1) -> Body {
        let start: [UInt8] =
            [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
            + chunk("IHDR", .big32(width) + .big32(height) + [1, 3, 0, 0, 0])
            + chunk("PLTE", [UInt8(seed & 255), UInt8(seed >> 3 & 255), UInt8(seed >> 6 & 255)])
        let end = chunk("IDAT", packed((width + 7) / 8 * height + height)) + chunk("IEND", [])
        let padding = bytes - start.count - end.count - 20
        precondition(padding >= 0, "a PNG of this size needs at least \(bytes - padding) bytes")
        let count = padding / unit * unit
        let head = chunk("paDd", .seed(seed) + Random.filler(padding - count, seed: seed))
        let units = count == 0 ? [0] : chunk("paDd", Random.filler(unit - 12, seed: seed))
        return Body([.bytes(start + head), .repeated(units, count: count), .bytes(end)])
    }

    private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let body = name.bytes + content
        return .big32(content.count) + body + .big32(Int(crc32(0, body, UInt32(body.count))))
    }

    private static func packed(_ count: Int) -> [UInt8] {
        var size = compressBound(UInt(count))
        var bytes = nulls(Int(size))
        compress(&bytes, &size, nulls(count), UInt(count))
        return Array(bytes.prefix(Int(size)))
    }
}
