import Apod
import TestSupport
import Testing

@testable import Upstream

struct RecordTests {
    private static let article = "https://h.example/image-article/apod-2015-june-3-a-fine-night/"
    private static let file = "https://h.example/content/dam/a.jpg"
    private static let label = "<b>Image Credit &amp; Copyright:</b> Ann"

    private static let fields: [String: JSON] = [
        "date": .string("2015-06-03"), "title": .string("A Night&#039;s Sky"), "permalink": .string(article),
        "media_type": .string("hologram"), "url": .string(article), "credit": .string(label),
        "copyright": .string(label),
        "explanation": .string("<b>Explanation:</b> Stars <a href='x'>here</a> .<br><b>Tomorrow's picture:</b> x"),
        "alt": .string("A &quot;sky&quot;"), "hdurl": .string("\(file)?w=9&h=8"),
        "basic_html": .string(page("<img src='/content/dam/a.jpg'>")),
    ]

    @Test("A record is read whole, or bare, and kept as it came")
    func whole() throws {
        let record = try JSONText(fields: Self.fields)
        let picture = try Picture(record: record)
        #expect(picture.words == ["A Night's Sky", "Stars here.", "Ann", "Ann", "A \"sky\"", Self.article])
        #expect(picture.day == Day("2015-06-03") && picture.record == record)
        #expect(picture.media == image([Self.file, "\(Self.file)?w=9&h=8"], 9, 8))
        let bare = try Picture(fields: [:])
        #expect(bare.words == ["", "", nil, nil, nil, nil] && bare.media == .none && bare.namesItsDay)
    }

    private static let day = Key.day(Day("2015-06-03")!)

    /// Fields that change, and whether the record is admitted then.
    private static let admissions: [([String: String?], BadRecord?)] =
        [
            ["explanation": nil], ["title": "NASA Science"],
            // The page's own heading is a title.
            ["title": nil, "explanation": nil], ["basic_html": nil, "permalink": nil, "url": nil],
            ["basic_html": nil, "hdurl": nil], ["permalink": nil, "url": nil, "hdurl": nil],
        ].map { ($0, nil) }
        + [
            ["title": "NASA Science", "explanation": "Discover the cosmos! Each", "basic_html": nil],
            ["title": "Astronomy Picture of the Day (APOD) | Nasa science", "explanation": nil, "basic_html": "x"],
            ["title": "false", "explanation": "false", "basic_html": nil],
            ["title": nil, "explanation": nil, "basic_html": "<title>NASA Science</title>"],
        ].map { ($0, .wordless(Self.day)) }
        + [
            ["basic_html": "0", "permalink": "0", "url": "0", "hdurl": "0"],
            ["basic_html": " \n", "permalink": "false", "url": "false", "hdurl": "/wp-content/x/nasa-logo.png"],
            ["basic_html": nil, "permalink": "javascript:x", "url": "https://h.example/a.jpg", "hdurl": nil],
        ].map { ($0, .placeless(Self.day)) }
        + [(["x": String(repeating: "x", count: JSONText.longestRecord)], .tooLarge(Self.day))]

    @Test("A record is admitted where it has words of its own, and a page or media", arguments: admissions.indices)
    func admission(index: Int) throws {
        let (changes, refusal) = Self.admissions[index]
        var fields = Self.fields
        for (name, value) in changes {
            fields[name] = value == "false" ? .bool(false) : value == "0" ? .integer(0) : value.map(JSON.string)
        }
        let record = try JSONText(fields: fields)
        do throws(BadRecord) {
            let picture = try Picture(admitting: record)
            #expect(refusal == nil && !picture.title.contains("NASA"))
            #expect(try Picture(record: record).title == picture.title)
        } catch {
            let isPassing = error != .tooLarge(Self.day)
            #expect(error == refusal && error.isPassing == isPassing && error.refusedDay == Day("2015-06-03"))
        }
    }

    @Test("A record takes its title from the page if it has none, and no alternative text that every page has")
    func texts() throws {
        for (title, html, expected) in [
            (.string(" "), page(""), "A Fine Night's Sky"), (nil, "<title>Error - 502</title>", ""),
            (.integer(2012), page(""), "2012"),
        ] as [(JSON?, String, String)] {
            #expect(try Picture(fields: ["basic_html": .string(html), "title": title ?? .null]).title == expected)
        }
        for (alt, expected) in [("See Explanation.  Clicking does it.", nil), ("A dog that sees", "A dog that sees")] {
            #expect(try Picture(fields: ["alt": .string(alt)]).alt == expected)
        }
    }

    @Test(
        "A record is copyrighted where a credit says so, or where it names a holder and no credit",
        arguments: [
            (label, nil, "Ann"), ("Ann", label, "Ann"), ("Ann", "Ann", nil),
            ("NASA; music © Ann", "<b>Image Credit:</b> Ann", "NASA; music © Ann"), (" ", "Ann", nil),
            ("<b>Copyright:</b>", nil, "Copyright:"),
        ] as [(String?, String?, String?)])
    func copyright(credit: String?, copyright: String?, holder: String?) throws {
        let fields = ["credit": credit, "copyright": copyright].compactMapValues { $0.map(JSON.string) }
        #expect(try Picture(fields: fields).copyright == holder)
    }

    @Test(
        "A record has its article in its permalink, else in url, and names its day or another",
        arguments: [
            ("permalink", "https://h.example/image-article/apod-2015-june-3/", true),
            ("permalink", "https://h.example/image-article/APOD-2015-June-4-x/", false),
            ("url", "https://h.example/apod/ap150603.html", true),
            ("url", "https://h.example/apod/ap150604.html", false),
            ("url", "https://h.example/a.jpg", nil),
        ])
    func permalink(field: String, link: String, isRight: Bool?) throws {
        let picture = try Picture(fields: [field: .string(link)])
        #expect(picture.permalink == (isRight == nil ? nil : address(link)) && picture.namesItsDay == (isRight ?? true))
    }

    @Test(
        "A record without one of APOD's days is none, and is described on one short line",
        arguments: [
            "../../etc/cron.d/x", "2015-06-31", "2015-06-03/..",
            "\u{1b}]0;x\u{7}\n\u{202e}\(String(repeating: "é", count: 5000))",
        ])
    func badDates(date: String) {
        let error = #expect(throws: BadRecord.self) { try Picture(fields: ["date": .string(date)]) }
        guard case .badDate? = error else { return #expect(error == nil) }
        let words = BadRecord.badDate(date).description
        #expect(words.utf8.count < 600 && !words.unicodeScalars.contains(where: Text.isInvisible))
        #expect(throws: BadRecord.notARecord(found: "[1]")) { try Picture(record: JSONText("[1]".bytes)) }
    }
}
