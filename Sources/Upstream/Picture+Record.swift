package import Apod

/// Why a record cannot be used.
package enum BadRecord: Error, Equatable, CustomStringConvertible {
    case notARecord(found: String)
    case noDate
    case badDate(String)
    /// The record's day was not asked for.
    case outside(Day)
    /// A second record with this date.
    case repeated(Day)
    /// Neither its title nor its explanation is the day's own.
    case wordless(Key)
    /// It names no page, and no media but a stand-in.
    case placeless(Key)
    /// No document is to hold so much.
    case tooLarge(Key)

    package var description: String {
        switch self {
        case .notARecord(let found): "not a record but “\(Self.shown(found))”"
        case .noDate: "a record without a date"
        case .badDate(let date): "a record with the date “\(Self.shown(date))”, which is none of APOD's days"
        case .outside(let day): "a record of \(day), a day that was not asked for"
        case .repeated(let day): "a second record of \(day)"
        case .wordless(let key): "a record of \(key) with no title and no text of its own"
        case .placeless(let key): "a record of \(key) without a page or a picture"
        case .tooLarge(let key):
            """
            a record of \(key) of more than \(Size.text(JSONText.longestRecord)), or nested deeper than \
            \(JSONText.deepestRecord) levels
            """
        }
    }

    /// Whether the upstream may send a better record soon.
    var isPassing: Bool {
        switch self {
        case .notARecord, .noDate, .wordless, .placeless: true
        case .badDate, .outside, .repeated, .tooLarge: false
        }
    }

    /// The day of a record that was not admitted.
    package var refusedDay: Day? {
        switch self {
        case .wordless(let key), .placeless(let key), .tooLarge(let key): key.day
        case .notARecord, .noDate, .badDate, .outside, .repeated: nil
        }
    }

    private static func shown(_ text: String) -> String { Text.shown(text, atMost: 40) }
}

extension Picture {
    /// The door: all records that the upstream sends come in here. One that tells nothing of its day is a failure of that
    /// day, which is asked for again. Behind the door, no code asks whether a record says anything.
    package init(admitting record: JSONText) throws(BadRecord) {
        try self.init(record: record)
        guard !record.isTooLarge else { throw .tooLarge(key) }
        guard !title.isEmpty || !Self.isOfSite(explanation: explanation) else { throw .wordless(key) }
        // The fields are read once more only where nothing else tells that the day is there.
        guard permalink != nil || media != .none || Fields(record: record)?.hasPage == true else {
            throw .placeless(key)
        }
    }

    /// Whether it is the title of a page that NASA's site serves in the place of a day: its own names alone.
    private static func isOfSite(title: String) -> Bool {
        let names = ["astronomy picture of the day", "nasa science", "nasa", "apod"]
        let rest = names.reduce(title.lowercased()) { $0.replacing($1, with: "") }
        return !rest.unicodeScalars.contains { $0.properties.isAlphabetic || $0.properties.numericType != nil }
    }

    /// The site's own description of APOD counts as none.
    private static func isOfSite(explanation: String) -> Bool {
        explanation.isEmpty || explanation.utf8.starts(with: "Discover the cosmos!".utf8)
    }

    /// Reads a record that was admitted, from a day's JSON. Everything but the date may be missing or senseless.
    package init(record: JSONText) throws(BadRecord) {
        guard let fields = Fields(record: record) else { throw .notARecord(found: record.text) }
        guard let date = fields.date.map(Text.clean), !date.isEmpty else { throw .noDate }
        guard let day = Day(date) else { throw .badDate(date) }
        let page = DayPage(fields.page ?? "")
        let permalink = Self.permalink(fields)
        let credit = HTMLText(fields.credit ?? fields.copyright ?? "")
        let finder = MediaFinder(fields.block ?? page.block, at: permalink, hdurl: fields.hdurl)
        self.init(
            key: .day(day),
            title: [fields.title.map { HTMLText($0).text }, page.heading?.title].compactMap(\.self)
                .first { !Self.isOfSite(title: $0) } ?? "",
            explanation: HTMLText(fields.explanation ?? "").explanation,
            credit: credit.credit.nonEmpty,
            copyright: Self.copyright(fields),
            alt: MediaFinder.alt(fields.alt ?? ""),
            permalink: permalink,
            media: finder.media,
            further: finder.further,
            speaksOf: LinkedDays.days(in: fields.explanation ?? "", of: day),
            isStandIn: fields.block != nil,
            record: record)
    }

    private static func permalink(_ fields: Fields) -> WebAddress? {
        if let permalink = fields.permalink.flatMap({ WebAddress(decoding: $0) }) { return permalink }
        // In NASA's old API, `url` is the picture.
        return fields.url.flatMap { WebAddress(decoding: $0) }.flatMap { Day(article: $0) == nil ? nil : $0 }
    }

    /// The first text that claims copyright, or the holder whom a record of NASA's old API names.
    private static func copyright(_ fields: Fields) -> String? {
        let texts = [fields.copyright, fields.credit].compactMap(\.self).map(HTMLText.init)
        // The new service has the credit in both fields; the old one has only holders in its one field.
        let holder = fields.credit == nil ? texts.first : nil
        return (texts.first(where: \.isCopyrighted) ?? holder).flatMap { $0.credit.nonEmpty ?? $0.text.nonEmpty }
    }

    /// Whether the article's address names the same day as the record's date; true if it names none.
    ///
    /// Some days were filed under a wrong date, beside the record that belongs there.
    package var namesItsDay: Bool { permalink.flatMap { Day(article: $0) }.map { $0 == day } ?? true }
}

extension String {
    var nonEmpty: String? { isEmpty ? nil : self }
}
