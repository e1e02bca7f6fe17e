/// What the program that decodes says of one picture. The service believes no word of it without a look.
package enum DecodingAnswer: Sendable, Equatable {
    /// It is whole; the files are in the order of the request.
    case made(Facts, files: [[UInt8]])
    /// It is cut off, or its bytes are not what they should be.
    case damaged(String)
    /// It may be whole, but it is not decoded: too large, or of no kind that is known.
    case refused(String)

    package struct Facts: Sendable, Equatable {
        package let type: Kind
        package let width: Int
        package let height: Int

        package init(type: Kind, width: Int, height: Int) {
            self.type = type
            self.width = width
            self.height = height
        }
    }

    package enum Kind: UInt8, Sendable { case jpeg, png, gif, webp, tiff, avif }

    /// What the program says first, when it has locked itself in: the version of these words, and of what it makes.
    package static let greeting: UInt8 = 4

    private static let longestReason = 300
    private static let largestFile = 4 << 20
    private enum Tag: UInt8 { case made, damaged, refused }

    package var bytes: [UInt8] {
        switch self {
        case .made(let facts, let files):
            [Tag.made.rawValue, facts.type.rawValue] + Wire.bytes(UInt32(facts.width))
                + Wire.bytes(UInt32(facts.height)) + files.flatMap { Wire.bytes(UInt32($0.count)) + $0 }
        case .damaged(let why): Self.bytes(.damaged, why)
        case .refused(let why): Self.bytes(.refused, why)
        }
    }

    private static func bytes(_ tag: Tag, _ why: String) -> [UInt8] {
        let reason = Array(why.utf8.prefix(longestReason))
        return [tag.rawValue] + Wire.bytes(UInt16(reason.count)) + reason
    }

    /// Reads one with so many files; nil for what is none. `read` returns exactly so many bytes, or nil.
    package init?(files count: Int, _ read: (Int) -> [UInt8]?) {
        switch read(1).flatMap({ Tag(rawValue: $0[0]) }) {
        case .made?:
            guard let head = read(9), let type = Kind(rawValue: head[0]) else { return nil }
            let (width, height) = (Wire.number(head[1...4]), Wire.number(head[5...8]))
            var files: [[UInt8]] = []
            for _ in 0..<count {
                guard let size = read(4).map({ Wire.number($0) }), 1...Self.largestFile ~= size, let file = read(size)
                else { return nil }
                files.append(file)
            }
            self = .made(Facts(type: type, width: width, height: height), files: files)
        case let tag?:
            guard let size = read(2).map({ Wire.number($0) }), 1...Self.longestReason ~= size, let words = read(size)
            else { return nil }
            let why = String(decoding: words, as: UTF8.self)
            self = tag == .damaged ? .damaged(why) : .refused(why)
        case nil: return nil
        }
    }
}
