import Apod
import Testing

@testable import Upstream

@Suite("The feed")
struct FeedTests {
    private static let article = "https://h.example/image-article/apod-2026-september-16-fog-&amp;-stars/"

    private static func feed(_ items: String, prologue: String = "", end: String = "</channel></rss>") -> [UInt8] {
        let start = """
            <?xml version="1.0" encoding="UTF-8" ?>\(prologue)
            <rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
                xmlns:atom="http://www.w3.org/2005/Atom" xmlns:apod="https://h.example/apod/">
            <channel><title>The feed</title><link>https://h.example/</link>
            <atom:link href="https://h.example/feed/" rel="self"/>
            """
        return Array((start + items + end).utf8)
    }

    private static func item(_ inside: String = "", link: String = article, html: String = page("")) -> String {
        """
        <item><title>Fog &#38; &amp;#8220;Stars&amp;#8221;</title><link>\(link)</link><atom:link href="x"/>
        <pubDate>Thu, 17 Sep 2026 03:59:59 +0000</pubDate>\(inside)
        <content:encoded><![CDATA[\(html)]]></content:encoded></item>
        """
    }

    private static let fields = """
        <apod:hdurl>https://h.example/content/dam/a.jpg?w=3&#038;h=2</apod:hdurl>
        <apod:credit><![CDATA[<b>Image Credit &amp; Copyright:</b> Ann]]></apod:credit>
        <apod:alt></apod:alt><apod:primary_image_alt>Fog</apod:primary_image_alt>
        <apod:explanation><![CDATA[<strong>Explanation:</strong> Fog <a>here</a> .<br><b>Tomorrow's picture:</b> x]]></apod:explanation>
        """

    @Test("tells of each item what a record tells")
    func items() throws {
        let html = page("<img src='/b.jpg'>")
        let pictures = NASAFeed.pictures(in: Self.feed(Self.item(Self.fields, html: html) + Self.item()))
        #expect(pictures.count == 2)
        let picture = try pictures[0].get()
        #expect(picture.day == Day("2026-09-16"))
        let article = "https://h.example/image-article/apod-2026-september-16-fog-&-stars/"
        #expect(picture.words == ["Fog & “Stars”", "Fog here.", "Ann", "Ann", "Fog", article])
        let file = "https://h.example/content/dam/a.jpg"
        #expect(picture.media == image(["https://h.example/b.jpg", "\(file)?w=3&h=2", file], 3, 2))
    }

    @Test("is kept item by item, and what was kept reads as the same picture")
    func roundTrip() throws {
        let picture = try #require(try NASAFeed.pictures(in: Self.feed(Self.item(Self.fields))).first?.get())
        let kept = try #require(picture.record.string)
        #expect(kept.hasPrefix("<item") && kept.hasSuffix("</item>"))
        #expect(kept.contains(#"xmlns:apod="https://h.example/apod/""#))
        let again = try Picture(record: JSONText(Array(picture.record.bytes)))
        #expect(again.day == picture.day && again.words == picture.words && again.media == picture.media)
        #expect(again.record == picture.record)
    }

    @Test("takes the day from the article, else from the page, else from the time of publication")
    func days() throws {
        func day(_ item: String) -> Day? { try? NASAFeed.pictures(in: Self.feed(item)).first?.get().day }
        #expect(day(Self.item(html: page("", day: "2026 September 1"))) == Day("2026-09-16"))
        #expect(
            day(Self.item(link: "https://h.example/x", html: page("", day: "2026 September 1"))) == Day("2026-09-01"))
        #expect(day(Self.item(link: "https://h.example/x", html: "")) == Day("2026-09-16"))
        #expect(NASAFeed.pictures(in: Self.feed("<item><title>x</title></item>")).map(\.failure) == [.noDate])
    }

    @Test("is believed a thousand items, and no more")
    func many() {
        let items = String(repeating: "<item><title>x</title></item>", count: 1001)
        #expect(NASAFeed.pictures(in: Self.feed(items)).count == 1000)
    }

    @Test("may be damaged: a cut-off last item, a raw ampersand, bytes that are no text")
    func damage() throws {
        let whole = Self.feed(Self.item(Self.fields) + Self.item(Self.fields))
        #expect(NASAFeed.pictures(in: Array(whole.dropLast(200))).count == 1)
        #expect(NASAFeed.pictures(in: whole + Array("\n<!-- kept in a cache -->".utf8)).count == 2)
        #expect(NASAFeed.pictures(in: Array("\u{feff}\n".utf8) + whole).count == 2)
        let odd = Self.feed(Self.item("<apod:alt>Fog & \u{1} rain</apod:alt>") + Self.item())
        let pictures = NASAFeed.pictures(in: odd.map { $0 == 1 ? 0 : $0 })
        #expect(pictures.count == 2)
        #expect(
            NASAFeed.pictures(in: Self.feed(Self.item()).flatMap { $0 == UInt8(ascii: "F") ? [0xff, 0xfe] : [$0] })
                .count
                == 1)
    }

    @Test(
        "is none: a page, nothing, garbage, JSON",
        arguments: [
            "<!doctype html><html><body><h1>502</h1></body></html>", "", "\u{0}\u{1}", "{\"a\":1}", "<", "<rss/>",
        ])
    func noFeed(text: String) {
        #expect(NASAFeed.pictures(in: Array(text.utf8)).isEmpty)
    }

    @Test("never expands entities nor opens the files that they name")
    func entities() throws {
        let laughs = (1..<10).map { "<!ENTITY l\($0) \"\(String(repeating: "&l\($0 - 1);", count: 10))\">" }.joined()
        let prologue = """
            <!DOCTYPE rss [<!ENTITY l0 "lol">\(laughs)<!ENTITY file SYSTEM "file:///etc/passwd">
            <!ENTITY % outside SYSTEM "file:///etc/hostname"> %outside;]>
            """
        for inside in ["<apod:alt>&l9;</apod:alt>", "<apod:alt>&file;</apod:alt>", "<apod:alt a='&l9;'>x</apod:alt>"] {
            let feed = Self.feed(Self.item(inside), prologue: prologue)
            guard case .success(let picture) = NASAFeed.pictures(in: feed).first else { continue }
            #expect(picture.record.bytes.count < 10_000)
            #expect(!picture.record.text.contains("root:"))
            #expect([nil, "x"].contains(picture.alt))
        }
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
