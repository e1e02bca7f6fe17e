package import Apod
internal import Archive
internal import Catalog
internal import Files

/// `gallery/data/2026-text.js`: the texts of a year's days, for their pages, a line for each. Only changed days are read.
struct TextScript {
    static let version = 1

    let volume: Volume
    let days: [StoredDay]
    /// The beginning of each day's line: its id, and which JSON it was made from.
    let keys: [[UInt8]]
    let script: KeyedFile

    init(_ volume: Volume) {
        self.volume = volume
        days = volume.days.compactMap(\.stored)
        keys = days.map { day in
            Array("\"\(volume.id(of: day.name.day))\":{\"of\":\"\("\(day.json)".prefix(16))\",".utf8)
        }
        script = KeyedFile(
            name: "\(volume.year)-text.js", version: "\(Self.version)", ends: ("apod.texts(\(volume.key), {", "});"),
            keys: keys)
    }

    /// `old`: the present file. `read`: returns a day's texts; nil if its JSON cannot be read.
    func bytes(after old: [UInt8]?, _ read: (StoredDay) throws -> DayText?) throws
        -> [UInt8]
    {
        try script.bytes(after: old) { index in
            guard let text = try read(days[index]) else { return .init(bytes: [], isWhole: false) }
            return .init(bytes: keys[index] + Script.value(Self.json(text)).dropFirst() + ",\n".utf8)
        }
    }

    /// `day`: told with them where their line does not.
    static func json(_ text: DayText, of day: Day? = nil) -> JSON {
        .sparse([
            ("date", day.map(JSON.day)), ("text", text.explanation.json), ("credit", text.credit?.json),
            ("licence", text.licence.map(JSON.string)), ("alt", text.alt.map(JSON.string)),
            ("page", text.permalink.map(JSON.string)),
        ])
    }

    /// The plain text of a day's line, with the credit at its end, all on one line.
    static func plain(_ line: ArraySlice<UInt8>) -> String {
        let value = line.drop { $0 != UInt8(ascii: "{") }.dropLast(",\n".utf8.count)
        let members = (try? JSONText(Array(value)))?.members
        return Text.collapsed(["text", "credit"].compactMap { members?[$0].map(plain) }.joined(separator: " "))
    }

    /// The plain text of a value as `LinkedText.json` writes it.
    private static func plain(_ value: JSONText) -> String {
        value.string ?? value.elements?.compactMap { $0.string ?? $0.elements?.first?.string }.joined() ?? ""
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
}

/// Finds the links of a text in the record that it came from.
package typealias LinkReader = @Sendable (_ text: String, _ record: JSONText) -> LinkedText
