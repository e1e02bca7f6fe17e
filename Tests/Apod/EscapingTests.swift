import Apod
import Testing

/// What is hostile in one language only stays text, whatever it is joined to.
struct EscapingTests {
    @Test(
        "What changes a text is told word by word, and of texts without end as a whole",
        arguments: [
            ("a b c", "a x c", "a [b] {x} c"), ("a b a", "a", "a [b a]"),
            (String(repeating: "a ", count: 2_001), String(repeating: "a ", count: 2_000), nil),
        ])
    func changes(old: String, new: String, told: String?) {
        let parts = WordChanges(from: old, to: new).parts
        guard let told else { return #expect(parts.count == 2) }
        let marks: [WordChanges.Fate: (String, String)] = [.kept: ("", ""), .gone: ("[", "]"), .new: ("{", "}")]
        #expect(parts.map { marks[$0.kind]!.0 + $0.words + marks[$0.kind]!.1 }.joined(separator: " ") == told)
    }

    private static let controls =
        [0..<0x20, 0x7f..<0xa0, 0x61c..<0x61d, 0x200e..<0x2010, 0x2028..<0x202f, 0x2066..<0x206a]
        .flatMap { $0.compactMap { Unicode.Scalar(UInt32($0)) } }
    private static let marks = Array("&<>\"'$`\\ *:(/?#".unicodeScalars)

    /// Between letters that join what stands beside them to one `Character`: before it (Prepend) and behind it (Extend).
    private static func around(_ scalar: Unicode.Scalar) -> [String] {
        [
            ("", ""), ("\u{d4e}", ""), ("\u{110bd}", ""), ("", "\u{301}"), ("", "\u{fe0f}"), ("", "\u{200d}"),
            ("\u{d4e}", "\u{301}"), ("\r", ""), ("", "\n"),
        ].map { "a\($0)\(scalar)\($1)b" }
    }

    private func isSame(_ one: String?, _ other: String) -> Bool { one?.utf8.elementsEqual(other.utf8) ?? false }

    @Test("A mark is no markup", arguments: marks)
    func markup(mark: Unicode.Scalar) {
        for text in Self.around(mark) {
            for escaped in [HTML.escaped(text), XML.escaped(text)] {
                let rest = escaped.unicodeScalars.split(separator: "&").dropFirst()
                #expect(!escaped.unicodeScalars.contains { "<>\"".unicodeScalars.contains($0) }, "\(text)")
                #expect(
                    rest.allSatisfy { part in
                        ["amp;", "lt;", "gt;", "quot;", "#39;", "#13;"].contains {
                            part.starts(with: $0.unicodeScalars)
                        }
                    }, "\(text)")
            }
            #expect(!HTML.escaped(text).utf8.contains("'"))
        }
        #expect(HTML.escaped("a\u{0}\u{85}\u{202e}é 星\t\n") == "a\u{fffd}\u{85}\u{fffd}é 星\t\n")
        for (text, escaped) in [
            ("a\u{0}\u{1f}b\u{fffe}\u{ffff}", "ab"), ("\u{d4e}\u{1}<", "\u{d4e}&lt;"), ("a\r\n\tb", "a&#13;\n\tb"),
            ("é 星\u{202e}\u{10ffff}'", "é 星\u{202e}\u{10ffff}'"),
        ] { #expect(isSame(XML.escaped(text), escaped)) }
    }

    @Test("A mark is nothing to a shell", arguments: marks)
    func words(mark: Unicode.Scalar) {
        for text in Self.around(mark) {
            if text.unicodeScalars.contains(where: Text.isInvisible) { continue }
            var (rest, inside, read) = (Array(Text.quoted(text).unicodeScalars)[...], false, "".unicodeScalars)
            while let scalar = rest.popFirst() {
                switch scalar {
                case "'": inside.toggle()
                case "\\" where !inside: read.append(rest.removeFirst())
                default:
                    #expect(inside, "\(text)")
                    read.append(scalar)
                }
            }
            #expect(!inside && isSame(String(read), text), "\(text)")
        }
    }

    @Test(
        "A mark or a control character is read back from JSON and from a script, which show none",
        arguments: controls + marks)
    func json(scalar: Unicode.Scalar) throws {
        for text in Self.around(scalar) {
            let value = JSON.object([(text, .string("\(text)</script><!--"))])
            let script = Script.value(value)
            #expect(!script.contains("<"))
            for written in [value.document, script] {
                let content = written.text.unicodeScalars
                #expect(!content.contains { $0 != "\n" && Self.controls.contains($0) }, "\(text)")
                #expect(isSame(try JSONText(written).members?[text]?.string, "\(text)</script><!--"), "\(text)")
            }
            // What JSON forbids cannot have come.
            if text.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5c }) { continue }
            let record = try JSONText(#"{ "\#(text)" :[1.0e+5,"\\\#(text)\u0085\/"]}"#.bytes)
            let written = JSON.array([.text(record)]).compact
            let content = written.text.unicodeScalars
            #expect(!content.contains(where: Self.controls.contains) && content.starts(with: #"[{ ""#.unicodeScalars))
            let again = try #require(JSONText(written).elements?.first)
            let values = try #require(again.members?[text]?.elements)
            #expect(values[0].text == "1.0e+5" && isSame(values[1].string, "\\\(text)\u{85}/"), "\(text)")
            #expect(JSON.array([.text(again)]).compact == written)
        }
        let others = "\u{a0}\u{61d}\u{2010}\u{2027}\u{202f}\u{2065}\u{206a}é🌌"
        #expect(JSON.string(others).line == "\"\(others)\"")
    }

    @Test("A control character is not shown on a terminal, nor more than was allowed", arguments: controls)
    func terminal(scalar: Unicode.Scalar) {
        for text in Self.around(scalar) {
            #expect(!Text.shown(text).unicodeScalars.contains(where: Text.isInvisible), "\(text)")
            let lines = Text.shown(lines: text).unicodeScalars
            #expect(!lines.contains { $0 != "\n" && Text.isInvisible($0) }, "\(text)")
            #expect(lines.count == text.unicodeScalars.count)
        }
        #expect(Text.shown("abc", atMost: 3) == "abc" && Text.shown("abcd", atMost: 3) == "abc…")
        let heap = Text.shown("a" + String(repeating: "\u{301}", count: 1000), atMost: 3)
        #expect(heap.unicodeScalars.count == 4)
    }

    @Test("A mark is encoded in an address, and what joins it is not")
    func percent() { #expect(Percent.encoded("a?\u{301}b%é") { "%?".utf8.contains($0) } == "a%3F\u{301}b%25é") }
}
