internal import Apod
internal import Archive
internal import CZlib
internal import Catalog
internal import Files

/// `gallery/data/2026-search.js`: the plain texts of a year's days for searching, compressed, a line for each month. It
/// is made from the lines of `TextScript`; only months with changed days are compressed again. Of items without a date,
/// so many in their order stand for a month.
struct SearchScript {
    static let version = "1.\(TextScript.version)"

    let script: KeyedFile
    /// Oldest first: the ids of the days and the keys of their texts.
    private let months: [(name: String, days: [(id: String, key: [UInt8])])]

    private static let length = 100

    init(_ texts: TextScript) {
        let volume = texts.volume
        var months: [(name: String, days: [(id: String, key: [UInt8])])] = []
        for (index, (stored, key)) in zip(texts.days, texts.keys).enumerated() {
            let name = volume.year == 0 ? "\(1_000_000 + index / Self.length)" : String(stored.name.stem.prefix(7))
            if months.last?.name != name { months.append((name, [])) }
            months[months.count - 1].days.append((volume.id(of: stored.name.day), key))
        }
        self.months = months
        script = KeyedFile(
            name: "\(volume.year)-search.js", version: Self.version, ends: ("apod.search(\(volume.key), [", "]);"),
            keys: months.map { name, days in
                Self.key(name, "\(Digest(of: days.flatMap(\.key)))".prefix(16))
            })
    }

    private static func key(_ month: String, _ digest: Substring) -> [UInt8] {
        Array("[\"\(month)\",\"\(digest)\",".utf8)
    }

    /// `old`: the present file. `texts`: the lines of the texts, by their keys.
    func bytes(after old: [UInt8]?, _ texts: [[UInt8]: ArraySlice<UInt8>]) throws -> [UInt8] {
        try script.bytes(after: old) { index in
            let (name, all) = months[index]
            let days = all.compactMap { id, key in texts[key].map { "\(id)\t\(TextScript.plain($0))\n" } }
            let isWhole = days.count == all.count
            // A key that no month has.
            let key = isWhole ? script.keys[index] : Self.key(name, "-")
            let base64 = Base64.text(of: Deflate.piece(Array(days.joined().utf8)))
            return .init(bytes: key + "\"\(base64)\"],\n".utf8, isWhole: isWhole)
        }
    }
}

/// Raw deflate (RFC 1951), in pieces that can be joined.
enum Deflate {
    /// The bytes end on a whole byte (zlib's Z_FULL_FLUSH), without a last block: any number of such pieces, one after
    /// the other, and the two bytes 03 00 are one stream.
    static func piece(_ bytes: [UInt8]) -> [UInt8] {
        var stream = z_stream()
        // Only without memory does zlib fail here.
        guard begin_raw_deflate(&stream) == Z_OK else { fatalError("zlib has no memory") }
        defer { deflateEnd(&stream) }
        // The bound is for a stream that ends. A flush adds an empty block.
        let most = Int(deflateBound(&stream, UInt(bytes.count))) + 16
        var bytes = bytes
        return [UInt8](unsafeUninitializedCapacity: most) { output, count in
            bytes.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(output.count))
                deflate(&stream, Z_FULL_FLUSH)
            }
            count = most - Int(stream.avail_out)
        }
    }
}
