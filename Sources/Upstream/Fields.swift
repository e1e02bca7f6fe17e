import Apod

/// A record's fields as text; nil where the upstream says nothing.
struct Fields: Sendable {
    var date: String?
    var title: String?
    var permalink: String?
    var url: String?
    var hdurl: String?
    var explanation: String?
    var credit: String?
    var copyright: String?
    var alt: String?
    /// The whole page of the day.
    var page: String?
    /// The picture's place, in an article.
    var block: ArraySlice<MarkupPiece>?

    /// Reads a record of APOD Basic, or an entry of the site's own list; nil for anything else.
    init?(record: JSONText) {
        guard let members = record.members else { return nil }
        if members["type"]?.string == Article.type {
            guard Article.isOne(members) else { return nil }
            self.init(Article(members))
            permalink = members["link"].flatMap(Self.text)
        } else {
            self.init(members: members)
        }
    }

    /// Reads a JSON object. Only texts and numbers are values: the upstream has `false` and `null` for nothing.
    init(members: [String: JSONText]) {
        func text(_ name: String) -> String? { members[name].flatMap(Self.text) }
        date = text("date")
        title = text("title")
        permalink = text("permalink")
        url = text("url")
        hdurl = text("hdurl")
        explanation = text("explanation")
        credit = text("credit")
        copyright = text("copyright")
        alt = text("alt")
        page = text("basic_html")
    }

    var hasPage: Bool { page?.contains { !$0.isWhitespace } ?? false }

    private static func text(_ value: JSONText) -> String? {
        // PHP's false, as a number.
        if value.bytes.elementsEqual("0".utf8) { return nil }
        return value.words?.nonEmpty
    }

    /// Reads an entry of the site's own list.
    init(_ article: Article) {
        date = article.day.map { "\($0)" }
        title = article.title
        explanation = article.explanation
        credit = article.credit
        alt = article.alt
        block = article.block
    }
}
