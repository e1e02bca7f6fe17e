package import Apod
import Archive
import CZlib
import Catalog
import Files

/// The texts of a year's days, in two files with a line for each month: `gallery/data/2026-text.js` for the days' pages, and
/// `gallery/data/2026-search.js` for searching, plain and compressed. Of items without a date, so many in their order stand
/// for a month.
///
/// A line names the JSON that it was made from, and a comment at the top has a digest of all: only months with changed days
/// are read.
extension Volume {
    private static let comment = "\(GeneratedFile.script)// \(version) "
    private static let itemsInMonth = 100
    private static let newline = UInt8(ascii: "\n")

    /// `read`: returns a day's texts; nil if its JSON cannot be read. The next run then tries again.
    func writeTexts(in shelf: inout Shelf, _ read: (StoredDay) throws -> DayText?) throws {
        let months = Dictionary(grouping: days.compactMap(\.stored).enumerated()) { index, day in
            year == 0 ? "\(1_000_000 + index / Self.itemsInMonth)" : String(day.name.stem.prefix(7))
        }.sorted { $0.key < $1.key }.map { (name: $0.key, days: $0.value.map(\.element)) }
        let keys = months.map { Self.key($0.name, "\(Digest(of: Array($0.days.flatMap(\.json.bytes))))".prefix(16)) }
        let head = "\(Self.comment)\(Digest(of: Array(keys.joined())))\n"
        let files = [(name: "\(year)-text.js", call: "texts"), (name: "\(year)-search.js", call: "search")]
        func isUpToDate(_ file: String) throws -> Bool {
            try GeneratedFile.beginning(file, in: shelf.folder)?.starts(with: head.utf8) ?? false
        }
        if try isUpToDate(files[0].name), try isUpToDate(files[1].name) { return }
        let former = try files.map { file in
            lines(of: try GeneratedFile.contents(file.name, in: shelf.folder) ?? [], keys)
        }
        var made: [[ArraySlice<UInt8>]] = []
        var isWhole = true
        for (key, month) in zip(keys, months) {
            if let texts = former[0][key], let plain = former[1][key] {
                made.append([texts, plain])
                continue
            }
            var texts: [(day: String, text: DayText)] = []
            for day in month.days { if let text = try read(day) { texts.append((id(of: day.name.day), text)) } }
            let isKept = texts.count == month.days.count
            if !isKept { isWhole = false }
            made.append(line(isKept ? key : Self.key(month.name, "-"), texts))
        }
        for (index, file) in files.enumerated() {
            let start = Array("\(isWhole ? head : "\(Self.comment)-\n")apod.\(file.call)(\(key), [\n".utf8)
            let months = made.flatMap { $0[index] + [Self.newline] }
            try shelf.put(start + months + "]);\n".utf8, file.name)
        }
    }

    /// The beginning of a month's line. No month has the digest `-`.
    private static func key(_ month: String, _ digest: Substring) -> [UInt8] {
        Array("[\"\(month)\",\"\(digest)\",".utf8)
    }

    /// A month's line of each file.
    private func line(_ key: [UInt8], _ texts: [(day: String, text: DayText)]) -> [ArraySlice<UInt8>] {
        let plain = texts.map { "\($0)\t\($1.plain)\n" }.joined()
        let values = [
            Script.value(.object(texts.map { ($0, $1.json()) })),
            Array("\"\(Base64.text(of: Deflate.piece(Array(plain.utf8))))\"".utf8),
        ]
        return values.map { (key + $0 + "],".utf8)[...] }
    }

    /// The lines of a file by their keys; none if another version wrote them.
    private func lines(of bytes: [UInt8], _ keys: [[UInt8]]) -> [[UInt8]: ArraySlice<UInt8>] {
        guard let length = keys.first?.count, bytes.starts(with: Self.comment.utf8) else { return [:] }
        let lines = bytes.split(separator: Self.newline).filter { $0.count > length }
        return Dictionary(lines.map { (Array($0.prefix(length)), $0) }) { $1 }
    }
}

/// The texts of a day's JSON.
struct DayText {
    let explanation: LinkedText
    let credit: LinkedText?
    let licence: String?
    let alt: String?
    /// NASA's page of the day, or an item's own.
    let permalink: String?

    init(_ document: Document, _ readLinks: LinkReader) {
        func linked(_ text: String) -> LinkedText { readLinks(text, document.record) }
        explanation = linked(document.explanation)
        credit = (document.text("credit") ?? document.text("copyright")).map(linked)
        licence = document.text("licence")
        alt = document.text("alt")
        permalink = document.permalink
    }

    /// `day`: told with them where their line does not.
    func json(of day: Day? = nil) -> JSON {
        .sparse([
            ("date", day.map(JSON.day)), ("text", explanation.json), ("credit", credit?.json),
            ("licence", licence.map(JSON.string)), ("alt", alt.map(JSON.string)), ("page", permalink.map(JSON.string)),
        ])
    }

    /// With the credit at its end, all on one line.
    var plain: String { Text.collapsed([explanation.text, credit?.text].compactMap(\.self).joined(separator: " ")) }
}

/// Finds the links of a text in the record that it came from.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText

/// Raw deflate (RFC 1951), in pieces that can be joined.
private enum Deflate {
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
