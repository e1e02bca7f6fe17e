import Apod
import Testing

@testable import Upstream

struct RecordTests {
    private static let article = "https://h.example/image-article/apod-2015-june-3-a-fine-night/"

    private static let fields: [String: JSON] = [
        "date": .string("2015-06-03"), "post_id": .integer(7), "title": .string("A Night&#039;s Sky: More &amp; More"),
        "permalink": .string(article), "media_type": .string("image"), "url": .string(article),
        "explanation": .string(
            "<strong>Explanation:</strong> Stars <a href='x'>here</a> .<br><b>Tomorrow's picture:</b> x"),
        "credit": .string("<b>Image Credit &amp; Copyright:</b> Ann"),
        "copyright": .string("<b>Image Credit &amp; Copyright:</b> Ann"), "alt": .string("A &quot;sky&quot;"),
        "hdurl": .string("https://h.example/content/dam/a.jpg?w=9&h=8"),
        "basic_html": .string(page("<img src='/content/dam/a.jpg'>")),
    ]

    @Test(
        "A record is read whole, whatever it calls its media, and kept as it came",
        arguments: ["image", "video", "hologram"])
    func whole(type: String) throws {
        let record = try JSONText(fields: Self.fields.merging(["media_type": .string(type)]) { $1 })
        let picture = try Picture(record: record)
        #expect(picture.day == Day("2015-06-03"))
        let title = "A Night's Sky: More & More"
        #expect(picture.words == [title, "Stars here.", "Ann", "Ann", "A \"sky\"", Self.article])
        let file = "https://h.example/content/dam/a.jpg"
        #expect(picture.media == image([file, "\(file)?w=9&h=8"], 9, 8))
        #expect(picture.record == record)
    }

    @Test(
        "A record may hold anything in place of a field",
        arguments: fields.keys.sorted(),
        [
            "null", "true", "\"\"", "-1.5e3", "[]", #"{"rendered":"x"}"#, #""\u0000""#, #""\ud800""#, #""<""#, #""&""#,
            #""javascript:alert(1)""#, #""//""#, #""http://""#, #""http://user:word@h/""#,
        ])
    func anything(field: String, value: String) throws {
        let odd = try JSONText(fields: Self.fields.merging([field: .text(JSONText(Array(value.utf8)))]) { $1 })
        if field == "date" {
            #expect(throws: BadRecord.self) { try Picture(record: odd) }
        } else {
            let picture = try Picture(record: odd)
            #expect(picture.day == Day("2015-06-03"))
            #expect(picture.record == odd)
        }
    }

    @Test("A record may lack everything but its date")
    func bare() throws {
        let bare = try Picture(fields: [:])
        #expect(bare.words == ["", "", nil, nil, nil, nil])
        #expect(bare.media == .none && bare.namesItsDay)
    }

    /// Fields that change, and whether the record is admitted then.
    private static let admissions: [([String: String?], String)] = [
        ([:], "yes"), (["title": nil], "yes"), (["explanation": nil], "yes"), (["credit": nil], "yes"),
        (["title": "NASA Science"], "yes"),
        (["title": "NASA Science", "explanation": "Discover the cosmos! Each", "basic_html": nil], "no words"),
        (["title": "  Nasa science", "explanation": nil, "basic_html": "x"], "no words"),
        (["title": "false", "explanation": "false", "basic_html": nil], "no words"),
        (
            ["title": "Astronomy Picture of the Day (APOD) | NASA Science", "explanation": nil, "basic_html": "x"],
            "no words"
        ),
        (["title": "0", "explanation": "0", "basic_html": nil], "no words"),
        (["basic_html": "0", "permalink": "0", "url": "0", "hdurl": "0"], "no place"),
        // The page's own heading is a title.
        (["title": nil, "explanation": nil], "yes"),
        (["title": nil, "explanation": nil, "basic_html": "<title>NASA Science</title>"], "no words"),
        (["basic_html": nil, "permalink": nil, "url": nil], "yes"), (["basic_html": nil, "hdurl": nil], "yes"),
        (["permalink": nil, "url": nil, "hdurl": nil], "yes"),
        (["basic_html": nil, "permalink": nil, "url": nil, "hdurl": nil], "no place"),
        (
            ["basic_html": " \n", "permalink": "false", "url": "false", "hdurl": "/wp-content/x/nasa-logo.png"],
            "no place"
        ),
        (["basic_html": nil, "permalink": "javascript:x", "url": "https://h.example/a.jpg", "hdurl": nil], "no place"),
    ]

    @Test(
        "A record is admitted where it has words of its own, and a page or media; else it is a reason",
        arguments: admissions.indices)
    func admission(index: Int) throws {
        let (changes, outcome) = Self.admissions[index]
        var fields = Self.fields
        for (name, value) in changes {
            fields[name] = value == "false" ? .bool(false) : value == "0" ? .integer(0) : value.map(JSON.string)
        }
        let record = try JSONText(fields: fields)
        do throws(BadRecord) {
            let picture = try Picture(admitting: record)
            #expect(outcome == "yes" && !picture.title.contains("NASA"))
            // What is read back from a day's JSON is the same.
            #expect(try Picture(record: record).title == picture.title)
        } catch {
            #expect(error.refusedDay == Day("2015-06-03"))
            #expect(error == (outcome == "no words" ? .wordless(Day("2015-06-03")!) : .placeless(Day("2015-06-03")!)))
            #expect(outcome != "yes" && error.isPassing)
        }
    }

    @Test("A record takes its title from the page if it has none")
    func title() throws {
        let html = JSON.string(page(""))
        #expect(try Picture(fields: ["basic_html": html]).title == "A Fine Night's Sky")
        #expect(try Picture(fields: ["basic_html": html, "title": .string(" ")]).title == "A Fine Night's Sky")
        #expect(try Picture(fields: ["basic_html": .string("<title>Error - 502</title>")]).title == "")
        #expect(try Picture(fields: ["title": .integer(2012)]).title == "2012")
    }

    @Test("A record has no alternative text where that is the boilerplate")
    func alt() throws {
        #expect(try Picture(fields: ["alt": .string("See Explanation.  Clicking on the picture does it.")]).alt == nil)
        #expect(try Picture(fields: ["alt": .string("See explanation")]).alt == nil)
        #expect(try Picture(fields: ["alt": .string("A dog that sees")]).alt == "A dog that sees")
    }

    @Test(
        "A record is copyrighted where a credit says so, and where a record without one names a holder, as NASA's old API does",
        arguments: [
            (Self.label, nil, "Ann"), ("Ann", Self.label, "Ann"), (nil, "\nAnn\n", "Ann"), ("Ann", "Ann", nil),
            (Self.free, Self.free, nil), ("NASA; music © Ann", Self.free, "NASA; music © Ann"), (nil, nil, nil),
            (" ", "Ann", nil), ("<b>Copyright:</b>", nil, "Copyright:"),
        ] as [(String?, String?, String?)])
    func copyright(credit: String?, copyright: String?, holder: String?) throws {
        let fields = ["credit": credit, "copyright": copyright].compactMapValues { $0.map(JSON.string) }
        #expect(try Picture(fields: fields).copyright == holder)
    }

    private static let label = "<b>Image Credit &amp; Copyright:</b> Ann"
    private static let free = "<b>Image Credit:</b> Ann"

    @Test("A record has its article in url, if that is one and there is no permalink")
    func permalink() throws {
        #expect(try Picture(fields: ["url": .string(Self.article)]).permalink == address(Self.article))
        #expect(try Picture(fields: ["url": .string("https://h.example/a.jpg")]).permalink == nil)
        #expect(
            try Picture(fields: ["permalink": .string("javascript:x"), "url": .string(Self.article)]).permalink != nil)
    }

    @Test(
        "A record names its day or another",
        arguments: [
            ("https://h.example/image-article/apod-2015-june-3/", true),
            ("https://h.example/image-article/APOD-2015-June-4-x/", false),
            ("https://h.example/apod/ap150603.html", true), ("https://h.example/apod/ap150604.html", false),
            ("https://h.example/image-article/a-fine-night/", true), ("https://h.example/apod-2015-june-31-x/", true),
        ])
    func namesItsDay(permalink: String, isRight: Bool) throws {
        #expect(try Picture(fields: ["permalink": .string(permalink)]).namesItsDay == isRight)
    }

    @Test(
        "A record without one of APOD's days is none",
        arguments: [
            "../../etc/cron.d/x", "2015-06-31", "1995-06-15", "2095-01-01", "2015-06-03/..", "\u{1b}[2J",
        ])
    func badDates(date: String) {
        #expect(throws: BadRecord.badDate(date.unicodeScalars.first == "\u{1b}" ? "[2J" : date)) {
            try Picture(fields: ["date": .string(date)])
        }
    }

    @Test("A record that is bad is described on one short line that a terminal only shows")
    func description() throws {
        let hostile = BadRecord.badDate("\u{1b}]0;x\u{7}\n\u{202e}" + String(repeating: "é", count: 5000))
        #expect(hostile.description.utf8.count < 600)
        #expect(!hostile.description.unicodeScalars.contains(where: Text.isInvisible))
        #expect(throws: BadRecord.notARecord(found: "[1]")) { try Picture(record: JSONText(Array("[1]".utf8))) }
    }
}
