package import Apod
import Files
import Store

/// The texts of a year's days, for their pages and for searching: `gallery/data/2026-text.js`.
///
/// A line for each day: only days whose JSON is another are read (`Parts`).
extension Volume {
    /// `read`: returns a day's texts; nil if its JSON cannot be read. The next run then tries again.
    func writeTexts(in shelf: Shelf, _ read: TextReader) throws {
        let (name, stored) = ("\(year)-text.js", items.compactMap(\.stored))
        let sources = stored.map { Parts.source($0) }
        if try shelf.has(name, from: "//\(Parts.comment(sources))\n") { return }
        var parts = try Parts(of: name, in: shelf.folder, mark: "//") { rest in
            rest.split(separator: "\n").dropFirst().map { $0.last == "," ? $0.dropLast() : $0 }
        }
        for (stored, source) in zip(stored, sources) {
            try parts.add(from: source) {
                try read(stored).map { text in
                    Script.value(.string(Self.id(of: stored.name.key))) + ":".bytes + Script.value(text.json())
                }
            }
        }
        try shelf.put(DataFile.bytes("texts", key, parts), name)
    }
}

typealias TextReader = (Item.Stored) throws -> DayText?

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
