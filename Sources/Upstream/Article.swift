import Apod

/// An entry of the site's own list (`ArticleList`): title and date in one, and the page's content as HTML.
struct Article {
    private let markup: Markup
    private let members: [String: JSONText]

    /// The type of the list's entries.
    static let type = "image-article"
    /// The category of APOD.
    static let category = 22766
    private static let hero = "wp-block-nasa-blocks-media-detail-hero"
    private static let description = "media-detail-hero__description"

    /// Whether a record is an entry of that list about an APOD: the list has others.
    static func isOne(_ record: JSONText) -> Bool { record.members.map(isOne) ?? false }

    static func isOne(_ members: [String: JSONText]) -> Bool {
        members["type"]?.string == Self.type
            && members["categories"]?.elements?.contains { $0.integer == Self.category } == true
    }

    /// The day under which an entry was filed, which may be wrong.
    static func filed(_ record: JSONText) -> Day? { day(record["date"]) }

    private static func day(_ date: JSONText?) -> Day? { date?.string.flatMap { Day($0.prefix(10)) } }

    init(_ members: [String: JSONText]) {
        self.members = members
        markup = Markup(html: Self.text(members["content"]) ?? "")
    }

    private static func text(_ value: JSONText?) -> String? { value?["rendered"]?.string ?? value?.string }

    var day: Day? { Self.day(of: members) }

    /// The old page's address is to be believed where there is one, the date of the entry only where its title has none.
    static func day(of members: [String: JSONText]) -> Day? {
        let old = members["migration_source_url"]?.string.flatMap { WebAddress($0) }.flatMap(Day.init(article:))
        return old ?? heading(members)?.day ?? day(members["date"])
    }

    private static func heading(_ members: [String: JSONText]) -> (day: Day, title: String)? {
        text(members["title"]).flatMap { DayPage.heading(HTMLText($0).text) }
    }

    var title: String? { Self.heading(members)?.title ?? Self.text(members["title"]) }

    /// The picture's place, with all that tells of it.
    var block: ArraySlice<MarkupPiece> { element(Self.hero) ?? [] }

    var explanation: String? { element(Self.description)?.html }

    /// The first alternative text in the picture's place.
    var alt: String? {
        block.firstValue { piece in if case .open("img", let attributes) = piece { attributes["alt"] } else { nil } }
    }

    /// The cell beside the one that says so.
    var credit: String? {
        let head = markup.pieces.indices.first { index in
            markup.pieces[index].opens("th") && HTMLText(markup.element(from: index).html).text.lowercased() == "credit"
        }
        let cell = head.flatMap { head in markup.pieces[head...].firstIndex { $0.opens("td") } }
        return cell.map { markup.element(from: $0).html }
    }

    private func element(_ name: String) -> ArraySlice<MarkupPiece>? {
        let start = markup.pieces.firstIndex { piece in
            guard case .open(_, let attributes) = piece else { return false }
            return attributes["class"]?.split(separator: " ").contains { $0 == name } ?? false
        }
        return start.map(markup.element(from:))
    }
}
