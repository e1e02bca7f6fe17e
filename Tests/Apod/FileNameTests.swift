import Apod
import Testing

@Suite("A file name")
struct FileNameTests {
    private static let day = Day("2026-11-20")!

    private static func name(_ title: String) -> String { FileName(day: day, title: title).stem }

    @Test(
        "is safe everywhere and can be read by people",
        arguments: [
            ("Orion Rising", "2026-11-20 Orion Rising"), ("NGC 2419: Wanderer", "2026-11-20 NGC 2419 - Wanderer"),
            ("What? *Is* <this> \"|\" a\\b/c", "2026-11-20 What Is this - a-b-c"),
            ("  two  \t\n lines\u{a0}", "2026-11-20 two lines"), ("The End.", "2026-11-20 The End"),
            ("dots ... . .", "2026-11-20 dots"), ("...", "2026-11-20"), ("", "2026-11-20"), ("?", "2026-11-20"),
            ("../../etc/passwd", "2026-11-20 ..-..-etc-passwd"), ("-rf $HOME", "2026-11-20 -rf $HOME"),
            ("a\u{202e}b\u{200f}c\u{2066}d\u{feff}e", "2026-11-20 abcde"),
            ("a\u{0}b\u{1b}[2Jc\u{7f}d", "2026-11-20 ab[2Jcd"),
            ("Nébuleuse", "2026-11-20 Nébuleuse"), ("e\u{301}", "2026-11-20 é"), ("e\u{200b}\u{301}", "2026-11-20 é"),
            ("\u{301}x", "2026-11-20 \u{301}x"), ("\u{e000}\u{ffff}x", "2026-11-20 x"), ("星雲", "2026-11-20 星雲"),
        ])
    func safe(title: String, stem: String) {
        #expect(Self.name(title).unicodeScalars.elementsEqual(stem.unicodeScalars))
    }

    @Test("is read back whatever its last letter joins", arguments: ["Sky\u{d4e}", "\u{111c2}", "e\u{301}", "a.b", ""])
    func lastLetter(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        #expect(FileName(name.with("json"), suffix: "json") == name)
        #expect(FileName(name.with("json"), suffix: "jpg") == nil && FileName(stem: name.stem) == name)
        let parts = try #require(FileName.parts(of: name.with("jpg")))
        #expect(parts.stem.utf8.elementsEqual(name.stem.utf8) && parts.suffix == "jpg")
        #expect(FileName.parts(of: "none") == nil && FileName("\(name.stem)json", suffix: "json") == nil)
    }

    private static let hostile = [
        String(repeating: "星", count: 1400), String(repeating: "👩🏽‍🚀", count: 300), String(repeating: "🇩🇪", count: 300),
        String(repeating: "e\u{301}\u{323}", count: 300), "a" + String(repeating: "\u{301}", count: 3000),
        String(repeating: "\u{301}", count: 3000), String(repeating: ". ", count: 3000),
        String(repeating: "x", count: 188) + ". y",
        String(repeating: "x", count: 187) + " .y", String(repeating: "a:", count: 300), "a\u{200d}\u{301}\u{327}",
        "\u{1100}\u{200b}\u{1161}", "ﬁ Å ｶﾞ", "\u{d}\u{a}\u{d}", "2026-11-20", " 2026-11-20 x",
        "\u{2028}\u{2029}\u{85}x",
        "\u{1f1e9}\u{200b}\u{1f1ea}", "x\u{fe0f}\u{20e3}", "\u{378}\u{10ffff}", "a\u{fb1d}\u{2126}", "con", "nul.txt",
    ]

    @Test("fits whatever the title", arguments: hostile)
    func fits(title: String) throws {
        let stem = Self.name(title)
        #expect(stem.utf8.count + ".json".utf8.count <= 255)
        #expect(stem.hasPrefix("2026-11-20"))
        #expect(!stem.hasSuffix(".") && !stem.hasSuffix(" "))
        #expect(!stem.unicodeScalars.contains { "<>:\"/\\|?*".unicodeScalars.contains($0) || Text.isInvisible($0) })
    }

    @Test("is never cut inside a character", arguments: [("星", 63), ("👩🏽", 23), ("e\u{323}\u{302}", 63)])
    func whole(character: String, count: Int) {
        let title = String(repeating: character, count: 1000)
        #expect(Self.name(title) == "2026-11-20 " + String(repeating: character, count: count))
    }

    @Test("is the same when read back", arguments: hostile + ["Orion: Rising", "A/B", "e\u{301}", "...", ""])
    func readBack(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        #expect(FileName(day: Self.day, stem: name.stem) == name)
        #expect(FileName(name.with("json"), suffix: "json") == name)
        #expect(FileName(day: Self.day, title: String(name.stem.dropFirst(10))) == name)
    }

    @Test(
        "is not read from what it cannot have made",
        arguments: [
            "2026-11-19 Orion", "2026-11-20 a/b", "2026-11-20 ../x", "2026-11-20  two", "2026-11-20 x.",
            "2026-11-20 x ", "2026-11-20 a:b", "2026-11-20 a|b", "2026-11-20 a\\b", "2026-11-20 a<b", "2026-11-20 a>b",
            "2026-11-20 a\"b", "2026-11-20 a?b", "2026-11-20 a*b", "2026-11-20 a\u{7f}b", "2026-11-20 a\tb",
            "2026-11-20.", "2026-11-20  ", "2026-11-20-x",
            "2026-11-20x", "2026-11-20 ", "2026-11-20 e\u{301}", "2026-11-20\u{301} x", "2026-11-20 a\u{202e}b", "",
            "x",
            "2026-11-20 " + String(repeating: "x", count: 300),
        ])
    func notMade(stem: String) {
        #expect(FileName(day: Self.day, stem: stem) == nil)
    }

    @Test(
        "is not read from other files",
        arguments: ["notes.json", "2026-11-20 x.jpg", "2026-11-20 x", "2026-13-20 x.json", ".json"])
    func otherFiles(file: String) {
        #expect(FileName(file, suffix: "json") == nil)
    }
}
