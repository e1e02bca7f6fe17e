import Apod
import Files

/// A picture's size, and whether the file is whole, as far as its format's markers tell.
struct MediaInspector {
    let bytes: Int
    private(set) var width: Int?
    private(set) var height: Int?
    private(set) var isWhole = true
    private let file: File

    /// How far from the end the end marker may be: some programs append data.
    private static let tail = 64 << 10
    /// The most segments or boxes to read: no real file has as many.
    private static let mostParts = 1 << 18

    init(of file: File, type: MediaType) throws {
        self.file = file
        bytes = try file.facts().bytes
        switch type {
        case .jpeg: isWhole = try readJPEG()
        case .png: isWhole = try readPNG()
        case .gif: isWhole = try readGIF()
        case .webp: isWhole = try readRIFF()
        case .mp4, .quickTime: isWhole = try readBoxes().isSuperset(of: ["moov", "mdat"])
        case .avif: isWhole = try !readBoxes().isDisjoint(with: ["meta", "moov"])
        default: break
        }
    }

    private mutating func setSize(_ width: Int, _ height: Int) {
        guard width > 0, height > 0 else { return }
        self.width = width
        self.height = height
    }

    /// Reads up to the first scan (ITU T.81, B.1). Only behind it an end of image counts: a thumbnail has its own.
    private mutating func readJPEG() throws -> Bool {
        var offset = 2
        for _ in 0..<Self.mostParts {
            let segment = try file.bytes(at: offset, count: 9)
            guard segment.count == 9, segment[0] == 0xff, segment[1] != 0xda else { break }
            let marker = segment[1]
            if width == nil, 0xc0...0xcf ~= marker, ![0xc4, 0xc8, 0xcc].contains(marker) {
                setSize(segment.big(at: 7, 2), segment.big(at: 5, 2))
            }
            // A marker may be preceded by any number of fill bytes.
            offset += marker == 0xff ? 1 : 2 + segment.big(at: 2, 2)
        }
        return try tailContains([0xff, 0xd9], from: offset)
    }

    private mutating func readPNG() throws -> Bool {
        let header = try file.bytes(at: 8, count: 16)
        guard header.count == 16, header[4..<8].elementsEqual("IHDR".utf8) else { return false }
        setSize(header.big(at: 8, 4), header.big(at: 12, 4))
        return try tailContains("IEND".bytes + [0xae, 0x42, 0x60, 0x82])
    }

    /// Reads the blocks up to the trailer, which a few old files lack.
    private mutating func readGIF() throws -> Bool {
        let screen = try file.bytes(at: 6, count: 7)
        guard screen.count == 7 else { return false }
        setSize(screen.little(at: 0, 2), screen.little(at: 2, 2))
        var reader = BlockReader(file: file, offset: 13 + Self.colours(screen[4]))
        var images = 0
        while let block = try reader.next() {
            switch block {
            case 0x21: reader.skip(1)
            case 0x2c:
                let image = try reader.read(9)
                guard image.count == 9 else { return false }
                reader.skip(Self.colours(image[8]) + 1)
                images += 1
            case 0x3b: return images > 0
            default: return false
            }
            guard try reader.skipSubBlocks() else { return false }
        }
        return images > 0
    }

    /// The length of the colour table that a GIF's flags announce.
    private static func colours(_ flags: UInt8) -> Int { flags & 0x80 == 0 ? 0 : 3 << (Int(flags & 7) + 1) }

    private mutating func readRIFF() throws -> Bool {
        let header = try file.bytes(at: 0, count: 30)
        guard header.count == 30 else { return false }
        if header[12..<16].elementsEqual("VP8X".utf8) {
            setSize(header.little(at: 24, 3) + 1, header.little(at: 27, 3) + 1)
        } else if header[12..<16].elementsEqual("VP8L".utf8) {
            let bits = header.little(at: 21, 4)
            setSize((bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1)
        } else if header[12..<16].elementsEqual("VP8 ".utf8) {
            setSize(header.little(at: 26, 2) & 0x3fff, header.little(at: 28, 2) & 0x3fff)
        } else {
            return false
        }
        return header.little(at: 4, 4) + 8 <= bytes
    }

    /// Returns the names of the top-level boxes (ISO 14496-12, 4.2); none unless the last box ends where the file does.
    private func readBoxes() throws -> Set<String> {
        var (offset, parts) = (0, 0)
        var names: Set<String> = []
        while offset < bytes, parts < Self.mostParts {
            parts += 1
            let header = try file.bytes(at: offset, count: 16)
            guard header.count >= 8 else { return [] }
            names.insert(header[4..<8].text)
            switch header.big(at: 0, 4) {
            case 0: return names
            case 1 where header.count == 16 && header[8] < 0x40: offset += max(16, header.big(at: 8, 8))
            case let size where size >= 8: offset += size
            default: return []
            }
        }
        return offset == bytes ? names : []
    }

    private func tailContains(_ mark: [UInt8], from first: Int = 0) throws -> Bool {
        let start = min(bytes, max(first, bytes - Self.tail))
        let tail = try file.bytes(at: start, count: bytes - start)
        guard let last = mark.last else { return true }
        var end = tail.endIndex
        while let index = tail[..<end].lastIndex(of: last), index + 1 >= mark.count {
            if tail[(index + 1 - mark.count)...index].elementsEqual(mark) { return true }
            end = index
        }
        return false
    }
}

/// Reads a file forwards, a buffer at a time.
private struct BlockReader {
    let file: File
    var offset: Int
    var buffer: ArraySlice<UInt8> = []

    mutating func next() throws -> UInt8? { try read(1).first }

    mutating func read(_ count: Int) throws -> [UInt8] {
        if buffer.count < count {
            buffer = try file.bytes(at: offset, count: max(count, 64 << 10))[...]
        }
        let taken = Array(buffer.prefix(count))
        skip(taken.count)
        return taken
    }

    mutating func skip(_ count: Int) {
        buffer = buffer.dropFirst(count)
        offset += count
    }

    /// Returns false if the file ends before the sub-blocks do.
    mutating func skipSubBlocks() throws -> Bool {
        while let length = try next() {
            if length == 0 { return true }
            guard try read(Int(length)).count == Int(length) else { return false }
        }
        return false
    }
}

extension [UInt8] {
    fileprivate func big(at offset: Int, _ count: Int) -> Int {
        self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
    }

    fileprivate func little(at offset: Int, _ count: Int) -> Int {
        self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
