import CLinux
import Glibc

/// A smaller copy that is to be made of a picture.
package struct Rendition: Sendable, Hashable {
    package enum Format: UInt8, Sendable {
        case jpeg = 1
        case webp = 2
        case png = 3
    }

    package let format: Format
    /// In pixels.
    package let width: Int
    package let height: Int
    /// True if the copy has that very size, and shows the middle of the picture. Otherwise it fits into that size, and is
    /// no larger than the picture.
    package let isFilled: Bool

    package init(_ format: Format, width: Int, height: Int, isFilled: Bool = false) {
        self.format = format
        self.width = width
        self.height = height
        self.isFilled = isFilled
    }

    package init(_ format: Format, box: Int) { self.init(format, width: box, height: box) }
}

/// A request to `apod-thumbnailer`: make these copies of a picture or, without any, check whether it is whole. All but
/// the largest copy are made from that; one that is filled comes alone.
/// `DescriptorPassing` sends it with the open picture, and a `DecodingAnswer` comes back.
package struct DecodingRequest: Sendable, Equatable {
    package static let mostBytes = 2048

    package let renditions: [Rendition]
    /// Pango's markup, to be drawn at the lower edge by a decoder that was started for captions; empty: none.
    package let caption: String

    package init(_ renditions: [Rendition], caption: String = "") {
        (self.renditions, self.caption) = (renditions, caption)
    }

    package var bytes: [UInt8] {
        [UInt8(renditions.count)]
            + renditions.flatMap { each -> [UInt8] in
                let kind = [each.format.rawValue, each.isFilled ? 1 : 0]
                return kind + Wire.bytes(UInt16(each.width)) + Wire.bytes(UInt16(each.height))
            } + caption.utf8
    }

    package init?(_ bytes: [UInt8]) {
        guard let count = bytes.first, case let end = 1 + 6 * Int(count), bytes.count >= end else { return nil }
        var renditions: [Rendition] = []
        for start in stride(from: 1, to: end, by: 6) {
            guard let format = Rendition.Format(rawValue: bytes[start]) else { return nil }
            let (width, height) = (Wire.number(bytes[start + 2..<start + 4]), Wire.number(bytes[start + 4..<start + 6]))
            guard width > 0, height > 0, bytes[start + 1] <= 1 else { return nil }
            renditions.append(Rendition(format, width: width, height: height, isFilled: bytes[start + 1] == 1))
        }
        guard renditions.count == 1 || !renditions.contains(where: \.isFilled) else { return nil }
        self.init(renditions, caption: String(decoding: bytes[end...], as: UTF8.self))
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

/// Bytes that go over a socket together with an open file (unix(7), SCM_RIGHTS).
package enum DescriptorPassing {
    package static func send(_ bytes: [UInt8], with descriptor: Int32, to socket: Int32) -> Bool {
        bytes.withUnsafeBytes { send_with_descriptor(socket, $0.baseAddress, $0.count, descriptor) } == bytes.count
    }

    /// Returns how many bytes came; `descriptor` is −1 if none came along.
    package static func receive(from socket: Int32, into bytes: inout [UInt8], _ descriptor: inout Int32) -> Int {
        bytes.withUnsafeMutableBytes { receive_with_descriptor(socket, $0.baseAddress, $0.count, &descriptor) }
    }
}
