internal import Apod
internal import Archive
internal import CZlib
internal import Catalog
internal import Files

/// `gallery/data/2026-search.js`: the plain texts of a year's days for searching, compressed, a line for each month. It
/// is made from the lines of `TextScript`; only months with changed days are compressed again.
struct SearchScript {
    static let version = "1.\(TextScript.version)"

    let script: KeyedFile
    /// By months, oldest first: the dates of the days and the keys of their texts.
    private let months: [[(day: Day, key: [UInt8])]]

    init(_ year: Int, _ texts: TextScript) {
        var months: [[(day: Day, key: [UInt8])]] = []
        for (stored, key) in zip(texts.days, texts.keys) {
            let day = stored.name.day
            if months.last?.last?.day.month != day.month { months.append([]) }
            months[months.count - 1].append((day, key))
        }
        self.months = months
        script = KeyedFile(
            name: "\(year)-search.js", version: Self.version, ends: ("apod.search(\(year), [", "]);"),
            keys: months.map { days in
                Self.key(days[0].day, "\(Digest(of: days.flatMap(\.key)))".prefix(16))
            })
    }

    private static func key(_ day: Day, _ digest: Substring) -> [UInt8] {
        Array("[\"\("\(day)".prefix(7))\",\"\(digest)\",".utf8)
    }

    /// `old`: the present file. `texts`: the lines of the texts, by their keys.
    func bytes(after old: [UInt8]?, _ texts: [[UInt8]: ArraySlice<UInt8>]) throws(StorageError) -> [UInt8] {
        try script.bytes(after: old) { index in
            let days = months[index].compactMap { day, key in texts[key].map { "\(day)\t\(TextScript.plain($0))\n" } }
            let isWhole = days.count == months[index].count
            // A key that no month has.
            let key = isWhole ? script.keys[index] : Self.key(months[index][0].day, "-")
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
