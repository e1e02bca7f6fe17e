import Apod

/// A record's fields as text, from JSON or the feed; nil where the upstream says nothing.
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

    /// Reads an object of the JSON service, or one item of the feed's XML as a JSON string; nil for anything else.
    init?(record: JSONText) {
        if let members = record.members {
            self.init(members: members)
        } else if let item = record.string {
            self.init(item: item)
        } else {
            return nil
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

    private static func text(_ value: JSONText) -> String? {
        if let string = value.string { return string.isEmpty ? nil : string }
        // WordPress's own fields are objects with their text in `rendered`.
        if let rendered = value["rendered"]?.string { return rendered.isEmpty ? nil : rendered }
        let isNumber = value.bytes.first.map { $0 == UInt8(ascii: "-") || 48...57 ~= $0 } ?? false
        // PHP's false, as a number.
        return isNumber && value.text != "0" ? value.text : nil
    }

    /// Reads one item of the feed, whose elements are known by their names without the namespace.
    init(item: String) {
        let elements = Self.elements(of: item)
        title = elements["title"]
        permalink = elements["link"] ?? elements["guid"] ?? elements["url"]
        hdurl = elements["hdurl"]
        explanation = elements["explanation"] ?? elements["description"]
        credit = elements["credit"]
        copyright = elements["copyright"]
        alt = elements["alt"] ?? elements["primary_image_alt"]
        page = elements["encoded"]
        date = day(published: elements["pubDate"]).map { "\($0)" }
    }

    /// The text of each child element of the item; of several with one name, the first that is not blank.
    private static func elements(of item: String) -> [String: String] {
        var result: [String: String] = [:]
        var open: (name: String, text: String) = ("", "")
        var depth = 0
        for piece in Markup(xml: item).pieces {
            switch piece {
            case .open(let name, _):
                depth += 1
                if depth == 2 { open = (name, "") }
            case .text(let text):
                open.text += text
            case .close:
                if depth == 2, result[open.name] == nil, !open.text.allSatisfy(\.isWhitespace) {
                    result[open.name] = open.text
                }
                depth -= 1
            }
        }
        return result
    }

    /// An item has no date: the day is in the article's address, else in the page's title, else in `pubDate`.
    private func day(published: String?) -> Day? {
        permalink.flatMap { WebAddress($0) }.flatMap { Day(article: $0) }
            ?? page.flatMap { DayPage($0).heading?.day }
            ?? published.flatMap { Day(published: $0) }
    }
}
