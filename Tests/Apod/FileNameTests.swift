import Apod
import Testing

struct FileNameTests {
    private static let day = Day("2026-11-20")!
    private static let cats = ListName("cats")!

    @Test(
        "A file name is safe everywhere and can be read by people",
        arguments: [
            ("NGC 2419: Wanderer", " NGC 2419 - Wanderer"), ("What? *Is* <this> \"|\" a\\b/c", " What Is this - a-b-c"),
            ("  two  \t\n lines\u{a0}", " two lines"), ("dots ... . .", " dots"),
            ("../../etc/passwd", " ..-..-etc-passwd"), ("a\u{0}b\u{202e}\u{feff}c", " abc"),
            ("e\u{200b}\u{301}", " é"), ("\u{301}x", " \u{301}x"), ("\u{ffff}x", " x"),
            (String(repeating: "👩🏽", count: 24), " \(String(repeating: "👩🏽", count: 23))"),
        ])
    func safe(title: String, stem: String) {
        #expect(
            FileName(day: Self.day, title: title).stem.unicodeScalars.elementsEqual("2026-11-20\(stem)".unicodeScalars))
    }

    private static let hostile =
        ["星", "👩🏽‍🚀", "🇩🇪", "e\u{301}\u{323}", "\u{301}", ". ", "a:"].map { String(repeating: $0, count: 3000) } + [
            "a" + String(repeating: "\u{301}", count: 3000), String(repeating: "x", count: 188) + ". y",
            String(repeating: "x", count: 187) + " .y", "a\u{200d}\u{301}\u{327}", "\u{1100}\u{200b}\u{1161}", "ﬁ Å ｶﾞ",
            " 2026-11-20 x", "\u{378}\u{10ffff}", "a\u{fb1d}\u{2126}", "Sky\u{d4e}", "A/B", "",
        ]

    @Test("A file name fits, and is the same when read back", arguments: hostile)
    func readBack(title: String) throws {
        let name = FileName(day: Self.day, title: title)
        #expect(name.with("json").utf8.count <= 255 && name.stem.hasPrefix("2026-11-20"))
        #expect(!name.stem.hasSuffix(".") && !name.stem.hasSuffix(" "))
        let bad = name.stem.unicodeScalars.filter { "<>:\"/\\|?*".unicodeScalars.contains($0) || Text.isInvisible($0) }
        #expect(bad.isEmpty)
        #expect(FileName(stem: name.stem) == name && FileName(name.with("json"), suffix: "json") == name)
        #expect(FileName(day: Self.day, title: String(name.stem.dropFirst(10))) == name)
        let parts = try #require(FileName.parts(of: name.with("jpg")))
        #expect(parts.stem.utf8.elementsEqual(name.stem.utf8) && parts.suffix == "jpg")
        for number in [1, 1000] {
            for date in [nil, "1994-05-25"] {
                let item = ItemName(title: title, date: date, number: number, of: Self.cats)
                #expect(item.stem.utf8.count <= 200 && ItemName(stem: item.stem, of: Self.cats) == item)
            }
        }
        for other in ["notes.json", "2026-13-20 x.json", "2026-11-20 x.jpg", "2026-11-20json"] {
            #expect(FileName(other, suffix: "json") == nil)
        }
    }

    @Test(
        "A file name is not read from what it cannot have made",
        arguments: [
            "-19 Orion", "-20 a/b", "-20  two", "-20 x.", "-20 a\tb", "-20x", "-20 ",
            "-20 e\u{301}", "-20\u{301} x", "",
            "-20 " + String(repeating: "x", count: 300),
        ])
    func notMade(stem: String) { #expect(FileName(day: Self.day, stem: "2026-11\(stem)") == nil) }

    @Test(
        "An item's file name begins with its title, which no system takes for something else",
        arguments: [
            ("Mittens", nil, 12, "Mittens (12)"), ("M100", "1994-05-25", 1, "1994-05-25 M100"),
            ("../.hidden", nil, 1, "hidden"), ("~ -a", nil, 2, "a (2)"), ("...", nil, 2, "Untitled (2)"),
            ("\u{202e}", "1994-05-25", 1, "1994-05-25 Untitled"), ("nul.x", nil, 1, "Untitled nul.x"),
        ] as [(String, String?, Int, String)])
    func item(title: String, date: String?, number: Int, stem: String) {
        let name = ItemName(title: title, date: date, number: number, of: Self.cats)
        #expect(name.stem == stem && ItemName(stem: stem, of: Self.cats) == name)
    }

    @Test(
        "A sidecar's name is the picture's or the video's with a suffix, and is read back",
        arguments: ["", "a.jpg", "Sky\u{d4e}", String(repeating: "星", count: 300)])
    func sidecar(title: String) {
        let name = FileName(day: Self.day, title: title)
        for type in MediaType.allCases {
            let file = StoredFile(
                role: .picture, type: type, address: WebAddress("https://a.example/x")!, bytes: 1,
                sha256: Digest([UInt8](repeating: 0, count: 32))!)
            let text = "\(name.with(type.suffix)).xmp"
            let sidecar = SidecarName(of: file, named: name)
            #expect(sidecar?.description == (type == .html ? nil : text) && SidecarName(text) == sidecar)
            #expect(text.utf8.count <= 255)
        }
        for other in ["A.JPG.xmp", "A.jpg", "A.jpg.xmp.xmp", "A?.jpg.xmp", "A.jpg.\u{301}xmp"] {
            #expect(SidecarName("2026-11-20 \(other)") == nil && SidecarName(other) == nil)
        }
    }

    private static let picture = PictureKey(.day(Day("2026-09-16")!))
    private static let mittens = PictureKey(.item(ItemName(stem: "Mittens", of: cats)!))

    @Test(
        "The names of smaller copies tell the mark and number of the picture, in a year's folder or in that of a list")
    func copies() {
        #expect(GallerySize.small.path(of: Self.picture) == "gallery/2026/2026-09-16-480.webp")
        let path = GallerySize.large.path(of: Self.mittens)
        #expect(path == "gallery/lists/cats/\(Self.mittens.key.mark)-1280.jpg")
        for picture in [Self.picture, PictureKey(Self.picture.key, 2), Self.mittens] {
            for size in GallerySize.allCases {
                let read = GallerySize.picture(in: size.name(of: picture))
                #expect(read?.mark == picture.key.mark && read?.number == picture.number)
            }
        }
        for name in [
            "480.webp", "2026-09-16-481.webp", "c0ffee-480.webp", "00C0FFEE00c0ffee-480.webp",
            "+0c0ffee00c0ffee-480.webp",
        ] { #expect(GallerySize.picture(in: name) == nil, "\(name)") }
    }
}
