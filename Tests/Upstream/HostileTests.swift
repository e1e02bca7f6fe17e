import Apod
import TestSupport
import Testing

@testable import Upstream

struct HostileTests {
    private static func filled(_ unit: String, bytes: Int = 1 << 18) -> String {
        String(repeating: unit, count: bytes / unit.utf8.count)
    }

    @Test(
        "Hostile pages neither crash nor keep anything busy, wherever they are cut or malformed",
        .patience,
        arguments: [
            "<center>2015 June 3<br>", "<b><i></b>", "&amp;#039; ", "<", "<!--",
            "<a href=x><img src=b>", "<table><tr><td>", "<script>", "<x a=''>", "\u{301}", "\u{0}",
        ].map { filled($0) } + ["<center>\u{0}2015 June 3<br>\u{0}<img src=\u{0}>", "<a b='", "&#"])
    func survive(html: String) throws {
        let text = JSON.string(html)
        let picture = try Picture(fields: ["basic_html": text, "explanation": text, "credit": text, "alt": text])
        #expect(picture.explanation.utf8.count < 1 << 20 && picture.media == .none)
    }

    @Test("Hostile pages are read farther than any real one goes, but not to their end, nor into their depth")
    func cut() throws {
        for bytes in [100_000, 200_000] {
            let pieces = Markup(html: "<p>\(String(repeating: "x", count: bytes))</p><hr>").pieces
            #expect(pieces.contains { $0.opens("hr") } == (bytes == 100_000))
        }
        let html = page("<img src='/a.jpg'>", rest: Self.filled("word ", bytes: 4 << 20))
        let expected = image(["https://science.nasa.gov/a.jpg"])
        #expect(try Picture(fields: ["basic_html": .string(html)]).media == expected)
        let deep = "<p>before</p>" + Self.filled("<center>", bytes: 80_000) + "after"
        #expect(HTMLText(deep).text.hasPrefix("before") && Markup(html: deep).pieces.count < 1000)
    }
}
