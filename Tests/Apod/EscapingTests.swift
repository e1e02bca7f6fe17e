import Apod
import Testing

/// Letters that join what stands beside them to one `Character`: before it (Prepend) and behind it (Extend, ZWJ).
private let joined: [(before: String, behind: String)] = [
    ("", ""), ("\u{d4e}", ""), ("\u{110bd}", ""), ("", "\u{301}"), ("", "\u{fe0f}"), ("", "\u{200d}"),
    ("\u{d4e}", "\u{301}"), ("\r", ""), ("", "\n"),
]

private func around(_ scalar: Unicode.Scalar) -> [String] { joined.map { "a\($0.before)\(scalar)\($0.behind)b" } }

private func bytes(_ text: String) -> String { JSON.string(text).line }

struct EscapingTests {
    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in HTML and XML",
        arguments: "&<>\"'".unicodeScalars.map(\.self))
    func html(mark: Unicode.Scalar) {
        for text in around(mark) {
            let escaped = HTML.escaped(text)
            let entity = #/&(amp|lt|gt|quot|#39);/#
            #expect(escaped.unicodeScalars.contains("&"), "\(text)")
            let rest = String(escaped.unicodeScalars.filter { $0 != "\u{301}" && $0 != "\u{fe0f}" && $0 != "\u{d4e}" })
                .replacing(entity, with: "")
            #expect(!rest.unicodeScalars.contains { "&<>\"'".unicodeScalars.contains($0) }, "\(text)")
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in XML, without what no XML may have, and with every other scalar as it is"
    )
    func xml() {
        for mark in "&<>\"".unicodeScalars {
            for text in around(mark) {
                let escaped = XML.escaped(text).replacing("&#13;", with: "").unicodeScalars
                #expect(!escaped.contains { "<>\"".unicodeScalars.contains($0) }, "\(text)")
                #expect(escaped.count { $0 == "&" } == 1, "\(text)")
            }
        }
        let texts = [
            ("a\u{0}\u{8}\u{b}\u{1f}b\u{fffe}\u{ffff}", "ab"), ("\u{d4e}\u{1}<", "\u{d4e}&lt;"),
            ("a\r\n\tb", "a&#13;\n\tb"),
            ("é 星\u{1f52d}\u{200d}\u{202e}\u{fffd}\u{10ffff}'", "é 星\u{1f52d}\u{200d}\u{202e}\u{fffd}\u{10ffff}'"),
        ]
        for (text, escaped) in texts { #expect(XML.escaped(text).utf8.elementsEqual(escaped.utf8)) }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in the words of a shell",
        arguments: ["'", "$", "`", "\"", "\\", " "] as [Unicode.Scalar])
    func shell(mark: Unicode.Scalar) {
        for text in around(mark) where !text.unicodeScalars.contains(where: Text.isInvisible) {
            var scalars = Array(Text.quoted(text).unicodeScalars)
            var inside = false
            var read: [Unicode.Scalar] = []
            while !scalars.isEmpty {
                let scalar = scalars.removeFirst()
                switch scalar {
                case "'": inside.toggle()
                case "\\" where !inside: read.append(scalars.removeFirst())
                default:
                    #expect(inside, "\(text)")
                    read.append(scalar)
                }
            }
            #expect(!inside && read == Array(text.unicodeScalars), "\(text)")
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in HTML, with nothing that changes how the rest is read"
    )
    func htmlControls() {
        #expect(HTML.escaped("a\u{0}\u{1b}\u{85}\u{202e}\u{2066}b") == "a\u{fffd}\u{fffd}\u{85}\u{fffd}\u{fffd}b")
        #expect(HTML.escaped("é 星 a\tb\n") == "é 星 a\tb\n")
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in a script",
        arguments: ["<", "\u{2028}", "\u{202e}", "\u{9b}", "\"", "\\"] as [Unicode.Scalar])
    func script(mark: Unicode.Scalar) throws {
        for text in around(mark) + around(mark).map({ "\($0)/script><!--" }) {
            let written = Script.value(.object([("a", .string(text))]))
            #expect(!written.contains(UInt8(ascii: "<")))
            let scalars = String(decoding: written, as: UTF8.self).unicodeScalars
            #expect(!scalars.contains { "\u{2028}\u{202e}\u{9b}".unicodeScalars.contains($0) })
            let read = try JSONText(written)["a"]?.string
            #expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(text)")
        }
    }

    private static let controls =
        [0..<0x20, 0x7f..<0xa0, 0x61c..<0x61d, 0x200e..<0x2010, 0x2028..<0x202f, 0x2066..<0x206a]
        .flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in JSON",
        arguments: controls + ["\"", "\\"])
    func json(scalar: Unicode.Scalar) throws {
        for text in around(scalar) {
            let written = JSON.object([(text, .string(text))]).document
            let content = String(decoding: written, as: UTF8.self).unicodeScalars
            #expect(!content.contains { $0 != "\n" && Self.controls.contains($0) }, "\(text)")
            let value = try JSONText(written).members?[text]?.string
            #expect(value?.unicodeScalars.elementsEqual(text.unicodeScalars) == true)
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in JSON, with small letters and four digits, and no others"
    )
    func jsonForm() {
        #expect(bytes("\u{1}\u{7f}\u{9b}\u{61c}\u{200e}\u{2069}") == #""\u0001\u007f\u009b\u061c\u200e\u2069""#)
        let others = "\u{a0}\u{61b}\u{61d}\u{2010}\u{200d}\u{2027}\u{202f}\u{2065}\u{206a}é\u{2192}🌌"
        #expect(bytes(others) == "\"\(others)\"")
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in a record that came as JSON, which stays the same value and else the same bytes",
        arguments: controls)
    func record(scalar: Unicode.Scalar) throws {
        // What JSON forbids cannot have come.
        guard scalar.value >= 0x20 else { return }
        for text in around(scalar) where !text.utf8.contains(where: { $0 < 0x20 }) {
            let record = try JSONText(Array(#"{ "\#(text)" :[1.0e+5,"\\\#(text)\u0085\/"]}"#.utf8))
            let written = JSON.array([.text(record)]).compact
            let content = String(decoding: written, as: UTF8.self).unicodeScalars
            #expect(!content.contains(where: Self.controls.contains), "\(text)")
            #expect(content.starts(with: #"[{ ""#.unicodeScalars))
            let value = try #require(JSONText(written).elements?.first?.members?[text]?.elements)
            #expect(value[0].text == "1.0e+5")
            let expected = "\\\(text)\u{85}/"
            #expect(value[1].string?.unicodeScalars.elementsEqual(expected.unicodeScalars) == true)
            let again = try #require(JSONText(written).elements?.first)
            #expect(JSON.array([.text(again)]).compact == written)
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, on a terminal", arguments: controls)
    func terminal(scalar: Unicode.Scalar) {
        for text in around(scalar) {
            #expect(!Text.shown(text).unicodeScalars.contains(where: Text.isInvisible), "\(text)")
            let lines = Text.shown(lines: text).unicodeScalars
            #expect(!lines.contains { $0 != "\n" && Text.isInvisible($0) }, "\(text)")
            #expect(lines.count == text.unicodeScalars.count)
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, on a terminal, in no more than was allowed"
    )
    func long() {
        #expect(Text.shown("abc", atMost: 3) == "abc")
        #expect(Text.shown("abcd", atMost: 3) == "abc…")
        let heap = Text.shown("a" + String(repeating: "\u{301}", count: 1000), atMost: 3)
        #expect(heap.unicodeScalars.count == 4)
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in a search",
        arguments: ["\"", "*", ":", "("] as [Unicode.Scalar])
    func search(scalar: Unicode.Scalar) {
        for text in around(scalar) {
            let query = FullText.query([text, "x"]).unicodeScalars
            // Outside the quotes is nothing but a space and the last mark.
            let outside = query.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
                .filter { $0.offset % 2 == 0 }.map { String($0.element) }
            #expect(outside.joined() == " *", "\(text)")
        }
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in an address",
        arguments: ["/", "?", "#", ":"] as [Unicode.Scalar])
    func address(mark: Unicode.Scalar) throws {
        for (before, behind) in joined {
            let text = "https://example.org\(before.isEmpty ? "" : "/" + before)\(mark)\(behind)x"
            guard let address = WebAddress(text) else { continue }
            #expect(address.host == "example.org" && address.description.utf8.allSatisfy { 0x20..<0x7f ~= $0 })
            #expect(!address.description.utf8.contains(UInt8(ascii: "#")))
        }
        #expect(WebAddress("/\u{301}x", relativeTo: WebAddress("https://a.org/b/c"))?.path == "/%CC%81x")
        #expect(WebAddress("?\u{301}x", relativeTo: WebAddress("https://a.org/b/c"))?.query == "%CC%81x")
    }

    @Test(
        "What is hostile in one language only stays text, whatever it is joined to, in a path that is percent-encoded")
    func percent() {
        #expect(Percent.encoded("a?\u{301}b%é") { "%?".utf8.contains($0) } == "a%3F\u{301}b%25é")
    }
}
