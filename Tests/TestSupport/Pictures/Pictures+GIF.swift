import Apod

extension Pictures {
    /// A pixel in a canvas of this size. The padding is a comment.
    package static func gif(width: Int = 64, height: Int = 48, bytes: Int = 2_000, seed: UInt64 = 1) -> Body {
        let colors: [UInt8] = [UInt8(seed & 255), UInt8(seed >> 3 & 255), UInt8(seed >> 6 & 255), 0, 0, 0]
        let size: [UInt8] = .little16(width) + .little16(height)
        let start = "GIF89a".bytes + size + [0x80, 0, 0] + colors + [0x21, 0xfe]
        let end: [UInt8] = [0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]
        let padding = bytes - start.count - end.count - 9
        precondition(padding >= 0, "a GIF of this size needs at least \(bytes - padding) bytes")
        let length = 128
        let count = padding / length * length
        let first: [UInt8] = .seed(seed) + Random.filler(padding - count, seed: seed)
        let units = (0..<64).flatMap { [UInt8(length - 1)] + Random.filler(length - 1, seed: seed &+ $0) }
        return Body([.bytes(start + [UInt8(first.count)] + first), .repeated(units, count: count), .bytes(end)])
    }
}
