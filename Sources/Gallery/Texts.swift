package import Apod
import Files
import Store

/// The texts of a year's days, for their pages and for searching: `gallery/data/2026-text.js`.
///
/// A comment at its top has a digest of the JSON files that it was made from: only a year with changed days is read.
extension Volume {
    /// `read`: returns a day's texts; nil if its JSON cannot be read. The next run then tries again.
    func writeTexts(in shelf: Shelf, _ read: TextReader) throws {
        let (name, stored) = ("\(year)-text.js", days.compactMap(\.stored))
        let source = "// \(Self.version) \(Digest(of: Array(stored.flatMap(\.json.bytes))))\n"
        if try shelf.has(name, from: source) { return }
        let texts = try stored.map { (id(of: $0.name.day), try read($0)?.json()) }
        let isWhole = texts.allSatisfy { $0.1 != nil }
        try shelf.put(DataFile.bytes("texts", key, .sparse(texts), source: isWhole ? source : ""), name)
    }
}

typealias TextReader = (StoredDay) throws -> DayText?

/// The texts of a day's JSON.
struct DayText {
    let document: Document
    let readLinks: LinkReader

    var explanation: LinkedText { readLinks(document.explanation, document.record) }
    var credit: LinkedText? { document.credit.map { readLinks($0, document.record) } }

    /// `page`: NASA's of the day, or an item's own. `day`: told with them where their line does not.
    func json(of day: Day? = nil) -> JSON {
        .sparse([
            ("date", day.map(JSON.day)), ("text", explanation.json), ("credit", credit?.json),
            ("licence", document.text("licence").map(JSON.string)), ("alt", document.text("alt").map(JSON.string)),
            ("page", document.permalink.map(JSON.string)),
        ])
    }
}

/// Finds the links of a text in the record that it came from.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText
