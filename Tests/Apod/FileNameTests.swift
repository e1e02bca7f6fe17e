import Apod
import Testing

struct FileNameTests {
    private static let day = Day("2026-11-20")!

    private static let cats = ListName("cats")!
    private static func name(_ title: String) -> String { FileName(day: day, title: title).stem }

    @Test(
        "A file name is safe everywhere and can be read by people",
        arguments: [
            ("Orion Rising", "2026-11-20 Orion Rising"), ("NGC 2419: Wanderer", "2026-11-20 NGC 2419 - Wanderer"),
            ("What? *Is* <this> \"|\" a\\b/c", "2026-11-20 What Is this - a-b-c"),
            ("  two  \t\n lines\u{a0}", "2026-11-20 two lines"), ("dots ... . .", "2026-11-20 dots"),
            ("...", "2026-11-20"), ("", "2026-11-20"), ("?", "2026-11-20"),
            ("../../etc/passwd", "2026-11-20 ..-..-etc-passwd"), ("-rf $HOME", "2026-11-20 -rf $HOME"),
            ("a\u{202e}b\u{200f}c\u{2066}d\u{feff}e", "2026-11-20 abcde"),
            ("a\u{0}b\u{1b}[2Jc\u{7f}d", "2026-11-20 ab[2Jcd"),
            ("Nébuleuse", "2026-11-20 Nébuleuse"), ("e\u{301}", "2026-11-20 é"), ("e\u{200b}\u{301}", "2026-11-20 é"),
            ("\u{301}x", "2026-11-20 \u{301}x"), ("\u{e000}\u{ffff}x", "2026-11-20 x"), ("星雲", "2026-11-20 星雲"),
        ])
    func safe(title: String, stem: String) {
        #expect(Self.name(title).unicodeScalars.elementsEqual(stem.unicodeScalars))
    }

    @Test(
        "A file name is read back whatever its last letter joins",
        arguments: ["Sky\u{d4e}", "\u{111c2}", "e\u{301}", "a.b", ""])
    func lastLetter(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        #expect(FileName(name.with("json"), suffix: "json") == name)
        #expect(FileName(name.with("json"), suffix: "jpg") == nil && FileName(stem: name.stem) == name)
        for other in ["notes.json", ".json", "2026-13-20 x.json"] { #expect(FileName(other, suffix: "json") == nil) }
        let parts = try #require(FileName.parts(of: name.with("jpg")))
        #expect(parts.stem.utf8.elementsEqual(name.stem.utf8) && parts.suffix == "jpg")
        #expect(FileName.parts(of: "none") == nil && FileName("\(name.stem)json", suffix: "json") == nil)
    }

    private static let hostile =
        ["星", "👩🏽‍🚀", "🇩🇪", "e\u{301}\u{323}", "\u{301}", ". ", "a:"].map { String(repeating: $0, count: 3000) } + [
            "a" + String(repeating: "\u{301}", count: 3000), String(repeating: "x", count: 188) + ". y",
            String(repeating: "x", count: 187) + " .y", "a\u{200d}\u{301}\u{327}", "\u{1100}\u{200b}\u{1161}", "ﬁ Å ｶﾞ",
            "\u{d}\u{a}\u{d}", "2026-11-20", " 2026-11-20 x", "\u{2028}\u{2029}\u{85}x", "x\u{fe0f}\u{20e3}",
            "\u{1f1e9}\u{200b}\u{1f1ea}", "\u{378}\u{10ffff}", "a\u{fb1d}\u{2126}", "con",
        ]

    @Test("A file name is never cut inside a character", arguments: [("星", 63), ("👩🏽", 23), ("e\u{323}\u{302}", 63)])
    func whole(character: String, count: Int) {
        let title = String(repeating: character, count: 1000)
        #expect(Self.name(title) == "2026-11-20 " + String(repeating: character, count: count))
    }

    @Test(
        "A file name fits, and is the same when read back",
        arguments: hostile + ["Orion: Rising", "A/B", "e\u{301}", "...", ""])
    func readBack(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        #expect(name.with("json").utf8.count <= 255 && name.stem.hasPrefix("2026-11-20"))
        #expect(!name.stem.hasSuffix(".") && !name.stem.hasSuffix(" "))
        let bad = name.stem.unicodeScalars.filter { "<>:\"/\\|?*".unicodeScalars.contains($0) || Text.isInvisible($0) }
        #expect(bad.isEmpty)
        #expect(FileName(day: Self.day, stem: name.stem) == name)
        #expect(FileName(name.with("json"), suffix: "json") == name)
        #expect(FileName(day: Self.day, title: String(name.stem.dropFirst(10))) == name)
    }

    @Test(
        "A file name is not read from what it cannot have made",
        arguments: [
            "-19 Orion", "-20 a/b", "-20 ../x", "-20  two", "-20 x.", "-20 x ", "-20 a:b", "-20 a|b", "-20 a\\b",
            "-20 a<b", "-20 a>b", "-20 a\"b", "-20 a?b", "-20 a*b", "-20 a\u{7f}b", "-20 a\tb", "-20.", "-20-x",
            "-20x", "-20 ", "-20 e\u{301}", "-20\u{301} x", "-20 a\u{202e}b", "",
            "-20 " + String(repeating: "x", count: 300),
        ])
    func notMade(stem: String) {
        #expect(FileName(day: Self.day, stem: "2026-11\(stem)") == nil)
    }

    @Test(
        "A file name of an item begins with its title, which no system takes for something else",
        arguments: [
            ("Mittens", nil, 1, "Mittens"), ("Mittens", nil, 12, "Mittens (12)"),
            ("M100", "1994-05-25", 1, "1994-05-25 M100"), ("../.hidden", nil, 1, "hidden"), ("~ -a", nil, 2, "a (2)"),
            ("", nil, 1, "Untitled"), ("...", nil, 2, "Untitled (2)"),
            ("\u{202e}", "1994-05-25", 1, "1994-05-25 Untitled"),
            ("CON", nil, 1, "Untitled CON"), ("nul.x", nil, 1, "Untitled nul.x"), ("Console", nil, 1, "Console"),
            ("a" + String(repeating: "\u{301}", count: 3000), nil, 2, "Untitled (2)"),
        ] as [(String, String?, Int, String)])
    func item(title: String, date: String?, number: Int, stem: String) {
        let name = FileName(itemWithTitle: title, date: date, number: number, of: Self.cats)
        #expect(name.stem == stem && FileName(stemOfItem: stem, of: Self.cats) == name)
    }

    @Test("A file name of an item fits, and is the same when read back", arguments: hostile, [1, 1000])
    func itemReadBack(title: String, number: Int) {
        for date in [nil, "1994-05-25"] {
            let name = FileName(itemWithTitle: title, date: date, number: number, of: Self.cats)
            #expect(name.stem.utf8.count <= 200 && FileName(stemOfItem: name.stem, of: Self.cats) == name)
        }
    }
}
