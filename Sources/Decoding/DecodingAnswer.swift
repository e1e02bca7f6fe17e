/// The answer of `apod-thumbnailer` about one picture. It is not trusted: the picture may have taken over the decoder.
package enum DecodingAnswer: Sendable, Equatable {
    /// The picture is whole; the files are in the order of the request. `color`: the average, 0xRRGGBB.
    case made(color: Int, files: [[UInt8]])
    /// The picture is cut off, damaged, too large or not supported.
    case refused(String)

    /// The first byte, sent once the sandbox is locked: the version of the protocol and of the files.
    package static let greeting: UInt8 = 8

    private static let longestReason = 300
    /// In bytes. A JPEG of 3840 × 3840 pixels of mere noise has 11 MB.
    private static let largestFile = 16 << 20
    private enum Tag: UInt8 { case made, refused }

    package var bytes: [UInt8] {
        switch self {
        case .made(let color, let files):
            [Tag.made.rawValue] + Wire.bytes(UInt32(color)).prefix(3)
                + files.flatMap { Wire.bytes(UInt32($0.count)) + $0 }
        case .refused(let why):
            [Tag.refused.rawValue] + Wire.bytes(UInt16(min(why.utf8.count, Self.longestReason)))
                + why.utf8.prefix(Self.longestReason)
        }
    }

    /// Returns nil if the answer is not valid. `read` returns exactly as many bytes as asked, or nil.
    package init?(files count: Int, _ read: (Int) -> [UInt8]?) {
        switch read(1).flatMap({ Tag(rawValue: $0[0]) }) {
        case .made?:
            guard let color = read(3).map({ Wire.number($0) }) else { return nil }
            var files: [[UInt8]] = []
            for _ in 0..<count {
                guard let size = read(4).map({ Wire.number($0) }), 1...Self.largestFile ~= size, let file = read(size)
                else { return nil }
                files.append(file)
            }
            self = .made(color: color, files: files)
        case .refused?:
            guard let size = read(2).map({ Wire.number($0) }), 1...Self.longestReason ~= size, let words = read(size)
            else { return nil }
            self = .refused(String(decoding: words, as: UTF8.self))
        case nil: return nil
        }
    }
}
