/// A smaller copy that is to be made of a picture.
package struct Rendition: Sendable, Hashable {
    package enum Format: UInt8, Sendable {
        case jpeg = 1
        case webp = 2
        case png = 3
    }

    package let format: Format
    /// The side of the square that it fits into, in pixels. No copy is larger than the picture.
    package let box: Int

    package init(_ format: Format, box: Int) {
        self.format = format
        self.box = box
    }
}

/// A request to `apod-thumbnailer`: make these copies of a picture or, without any, check whether it is whole.
/// `DescriptorPassing` sends it with the open picture, and a `DecodingAnswer` comes back.
package struct DecodingRequest: Sendable, Equatable {
    package static let mostBytes = 64

    package let renditions: [Rendition]

    package init(_ renditions: [Rendition]) { self.renditions = renditions }

    package var bytes: [UInt8] {
        [UInt8(renditions.count)] + renditions.flatMap { [$0.format.rawValue] + Wire.bytes(UInt16($0.box)) }
    }

    package init?(_ bytes: [UInt8]) {
        guard let count = bytes.first, bytes.count == 1 + 3 * Int(count) else { return nil }
        var renditions: [Rendition] = []
        for start in stride(from: 1, to: bytes.count, by: 3) {
            guard let format = Rendition.Format(rawValue: bytes[start]) else { return nil }
            let box = Wire.number(bytes[(start + 1)...(start + 2)])
            guard box > 0 else { return nil }
            renditions.append(Rendition(format, box: box))
        }
        self.init(renditions)
    }
}

/// Numbers as they go over the socket, little-endian.
package enum Wire {
    package static func bytes<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        withUnsafeBytes(of: number.littleEndian) { Array($0) }
    }

    package static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
