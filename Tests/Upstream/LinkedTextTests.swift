import Apod
import Testing

@testable import Upstream

struct LinkedTextTests {
    private func linked(_ text: String, _ html: String, _ field: String = "explanation") throws -> LinkedText {
        let permalink = ("permalink", JSON.string("https://apod.nasa.gov/apod/ap261120.html"))
        let record = JSON.object([("date", .string("2026-11-20")), permalink, (field, .string(html))])
        return LinkedText(text, in: try JSONText(record.compact))
    }

    private func words(_ text: LinkedText) -> [String] {
        text.parts.map { part in
            switch part {
            case .words(let words): words
            case .link(let words, let address): "[\(words)](\(address))"
            }
        }
    }

    @Test("The links of a text are not looked for in more than any day tells", arguments: [20_000, 20_001])
    func longest(count: Int) throws {
        let text = String(repeating: "x", count: count - 1)
        let parts = words(try linked(text + "y", "\(text)<a href=\"https://a.example/\">y</a>"))
        #expect(parts.count == (count == 20_000 ? 2 : 1))
    }

    private static let cases: [(html: String, parts: [String])] = [
        ("See <a href='http://a.example'>the Moon</a>.", ["See ", "[the Moon](http://a.example/)", "."]),
        (
            "<b>Explanation:</b> <a href=\"ap051120.html\">It</a> is it.",
            ["[It](https://apod.nasa.gov/apod/ap051120.html)", " is it."]
        ),
        (
            "The <a href=\"https://a.example/\"> Sun </a>, and <a href=\"https://b.example/\">a\nstar</a>",
            ["The ", "[Sun](https://a.example/)", ", and ", "[a star](https://b.example/)"]
        ),
        (
            "Do <a href=\"javascript:alert(1)\">not</a> <a href=\"data:text/html,x\">go</a> <a>there</a>",
            ["Do not go there"]
        ),
        ("A <a href=\"https://a.example/\"><b id=x>b</b><script>c</script></a>", ["A ", "[b](https://a.example/)"]),
        ("A\u{d4e}<a href=\"https://a.example/\">\u{301}b</a>", ["A\u{d4e}", "[\u{301}b](https://a.example/)"]),
        ("Text.<br><b>Tomorrow's picture:</b> <a href=\"https://a.example/\">x</a>", ["Text."]),
        (
            "<a href=\"https://a.example/\">a <a href=\"https://b.example/\">b</a> c",
            ["[a](https://a.example/)", " ", "[b](https://b.example/)", " c"]
        ),
    ]

    @Test("The links of a text lead to the web, and stand where they stood", arguments: cases.indices)
    func links(index: Int) throws {
        let (html, parts) = Self.cases[index]
        let text = HTMLText(html).explanation
        let linked = try linked(text, html)
        #expect(words(linked).map { Array($0.utf8) } == parts.map { Array($0.utf8) })
        #expect(Array(linked.text.utf8) == Array(text.utf8))
    }

    @Test("The links of a text of a credit are found, too")
    func credit() throws {
        let html = "<b>Image Credit:</b> <a href=\"https://a.example/\">Ada</a> , Observatory"
        let text = HTMLText(html).credit
        #expect(try words(linked(text, html, "credit")) == ["[Ada](https://a.example/)", ", Observatory"])
    }

    @Test("The links of a text are left out where the text is another than the record's", arguments: ["", "Another."])
    func others(text: String) throws {
        #expect(try words(linked(text, "See <a href=\"https://a.example/x\">the Moon</a>.")) == [text])
        #expect(words(LinkedText(text, in: try JSONText(Array("7".utf8)))) == [text])
    }
}
