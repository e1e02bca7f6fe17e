internal import CZlib

/// The header and pixels of a small PNG file (PNG specification, 5.3); its other chunks are left out.
struct PNG {
    private let header: ArraySlice<UInt8>
    private let pixels: [UInt8]

    private static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    private static let end = chunk("IEND", [])

    /// nil unless this is a whole PNG file that fits into a square of `box` pixels.
    init?(_ bytes: [UInt8], box: Int) {
        guard bytes.starts(with: Self.signature) else { return nil }
        var (header, pixels): (ArraySlice<UInt8>?, [UInt8]) = (nil, [])
        var rest = bytes.dropFirst(Self.signature.count)
        while let chunk = Self.nextChunk(&rest) {
            let content = chunk.dropFirst(8).dropLast(4)
            switch String(decoding: chunk.dropFirst(4).prefix(4), as: UTF8.self) {
            case "IHDR" where header == nil && Self.isSensible(Array(content), box): header = chunk
            case "IHDR", "PLTE": return nil
            case "IDAT": pixels += chunk
            case "IEND":
                guard let header, !pixels.isEmpty, rest.isEmpty else { return nil }
                (self.header, self.pixels) = (header, pixels)
                return
            default: break
            }
        }
        return nil
    }

    /// Eight bits a channel, no palette, no interlacing, and no larger than the box.
    private static func isSensible(_ header: [UInt8], _ box: Int) -> Bool {
        guard header.count == 13 else { return false }
        func number(_ start: Int) -> Int { header[start..<start + 4].reduce(0) { $0 << 8 | Int($1) } }
        let (width, height) = (number(0), number(4))
        return min(width, height) > 0 && max(width, height) <= box && header[8] == 8
            && [0, 2, 4, 6].contains(header[9]) && header[10...] == [0, 0, 0]
    }

    /// Removes the first chunk; nil if it is cut off or its checksum is wrong.
    private static func nextChunk(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= 12 else { return nil }
        let size = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
        guard size <= rest.count - 12 else { return nil }
        let chunk = rest.prefix(size + 12)
        rest = rest.dropFirst(size + 12)
        return Array(chunk.suffix(4)) == sum(of: chunk.dropFirst(4).dropLast(4)) ? chunk : nil
    }

    /// The length of the file without any texts.
    var size: Int { Self.signature.count + header.count + pixels.count + Self.end.count }

    func file(_ texts: [PNGText]) -> [UInt8] {
        Self.signature + header + texts.flatMap { Self.chunk("tEXt", $0.bytes) } + pixels + Self.end
    }

    /// How much longer a file is with these texts.
    static func size(of texts: [PNGText]) -> Int { texts.reduce(0) { $0 + 12 + $1.bytes.count } }

    private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
        let named = Array(type.utf8) + content
        return bytes(UInt32(content.count)) + named + sum(of: named[...])
    }

    private static func bytes(_ number: UInt32) -> [UInt8] { withUnsafeBytes(of: number.bigEndian) { Array($0) } }

    private static func sum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
        self.bytes(UInt32(bytes.withUnsafeBufferPointer { crc32(0, $0.baseAddress, UInt32($0.count)) }))
    }
}

/// A text in a PNG file, in ASCII.
struct PNGText: Equatable {
    let keyword: String
    let text: String

    init(_ keyword: String, _ text: String) { (self.keyword, self.text) = (keyword, text) }

    var bytes: [UInt8] { Array(keyword.utf8) + [0] + Array(text.utf8) }
}
