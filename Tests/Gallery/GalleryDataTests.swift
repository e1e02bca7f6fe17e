import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Gallery

struct GalleryDataTests {
    private let today = november(20)
    private static let hostile =
        "</script><script>alert(1)</script>\u{d4e}<!-- \"'` \u{2028}\u{202e}\u{9b}\\ ]]>&amp; ${1}"

    @Test("The gallery tells of each day what there is of it, and why there is nothing to look at")
    func days() async throws {
        let fixture = try GalleryFixture()
        let add = fixture.fixture.add
        _ = try await add(
            today, "Twins", "Up.", [(.picture, .jpeg), (.also(2), .png), (.also(3), .jpeg)], false, .mirrored, 9)
        try await fixture.record(november(19)) { $0.failure = Problem(.folder, "cannot write /srv/apod") }
        _ = try await add(november(18), "Words", "Only.", [], false, .placeholder, 9)
        _ = try await add(november(17), "A Flight", "Up.", [(.page, .html), (.poster, .png)], false, .mirrored, 9)
        _ = try await add(november(16), "Clouds", "Up.", film, false, .mirrored, 9)
        try await fixture.record(november(15)) { $0.state = .absent }
        try await fixture.record(november(14)) { _ in }
        for date in 7...13 {
            _ = try await add(
                november(date), "Night", "Up.", date == 13 ? [] : [(.picture, .jpeg)], false, .mirrored, 9)
        }
        try await fixture.record(november(13)) {
            ($0.state, $0.failure) = (.failed, Problem(.large, "more than 512 MB"))
        }
        try await fixture.record(november(12)) { ($0.state, $0.failure) = (.failed, "/srv broke") }
        for date in [10, 11, 20] { try fixture.note(copiesOf: november(date), color: 0x01_0a0f) }
        try fixture.note(copiesOf: today, 2)
        try fixture.note(copiesOf: november(9), refusal: "too large", color: 1)
        for date in [8, 10] {
            _ = try await add(november(date), "Night", "Up.", [(.picture, .jpeg)], false, .mirrored, 10)
        }
        _ = try await fixture.archive.prune([november(11)], at: 2_000_000_000)
        try fixture.write(wanted: november(6)...today)
        let replaced = Time.day(try #require(try fixture.archive.catalog.versions(of: november(8)).first).replaced)
        let copies = "copies 1 color 010a0f"
        let also =
            "also [{image:png,width:4,height:3,bytes:9,copies:1,number:2},{image:jpg,width:4,height:3,bytes:9,number:3}]"
        for (date, told) in [
            (20, "image jpg bytes 9 \(copies) \(also)"), (19, "why folder"), (18, "why none"),
            (17, "image png bytes 9 player https://example.org/2026-11-17.html"),
            (16, "image jpg bytes 9 video mp4"), (15, nil), (14, "why waiting"), (13, "why large"),
            (12, "image jpg bytes 9"), (11, "pruned 1"), (10, "image jpg bytes 10 replaced [[\(replaced),picture]]"),
            (9, "image jpg bytes 9"), (8, "image jpg bytes 10 replaced [[\(replaced),picture]]"), (6, nil),
        ] as [(Int, String?)] { #expect(try fixture.told("\(november(date))") == told, "\(date)") }
        let index = try fixture.text("index.html")
        let letters = try #require(index.firstMatch(of: #/data-days="([^"]*)">2026/#)).1
        #expect(letters.count == 365 && letters.dropFirst(308).prefix(16) == ".mhhhhphff.hhhfh")
        #expect(index.contains("as=\"image\" href=\"gallery/2026/2026-11-20-1280.jpg\""))
        #expect(try fixture.words("2026-11-19") == nil)
        for name in fixture.drawn { #expect(try !fixture.text(name).contains("/srv"), "\(name)") }
    }

    @Test(
        "The gallery has its files without any day and in every year that there can be",
        arguments: [nil, "1995-06-16", "2000-02-29", "2094-12-31"])
    func files(date: String?) async throws {
        let fixture = try await GalleryFixture(days: date == nil ? 0 : 1, to: day(date ?? "2026-11-20"))
        try fixture.write()
        let index = try fixture.text("index.html")
        let year = date.map { "gallery/data/" + $0.prefix(4) }
        let data: [String] = year.map { [$0 + "-text.js", $0 + ".js"] } ?? []
        let others = ["changes", "favorites", "links"].map { "gallery/data/\($0).js" }
        #expect(fixture.made.filter { $0.hasPrefix("gallery/data/") } == ["gallery/data/"] + data + others)
        for mark in [".ignore", ".noimage", ".nomedia", ".nomemories", ".made-by-apod-mirror/", "icon.svg"] {
            #expect(fixture.made.contains("gallery/\(mark)"))
        }
        let addresses = index.matches(of: #/(?:src|href)="(gallery/[^"]*\.(?:js|css))([^"]*)"/#)
        let asked = ["gallery/gallery.css", "gallery/gallery.js"] + data.suffix(1) + others[1..<2]
        #expect(addresses.map { String($0.1) } == asked)
        #expect(
            addresses.allSatisfy { fixture.made.contains(String($0.1)) && $0.2 == Look.version && $0.2.count == 11 })
        let letters = index.firstMatch(of: #/data-days="([^"]*)"/#)?.1
        #expect(
            letters?.count == date.map { $0.hasPrefix("2000") ? 366 : 365 }
                && letters?.count { $0 == "h" } == date.map { _ in 1 })
        let policy = try #require(index.split(separator: "\n").first { $0.contains("Content-Security-Policy") })
        #expect(policy.contains("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
    }

    @Test("The gallery is drawn anew over another version's files")
    func former() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let name = "gallery/data/2026-text.js"
        let mine = try fixture.text(name)
        try save(mine.replacing("// \(Volume.version) ", with: "// 0 ").replacing("Text", with: "?"), to: fixture[name])
        try fixture.write()
        #expect(try fixture.text(name) == mine)
    }

    @Test("A new day comes into its year's texts and the feed without a look at the JSON of others")
    func added() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try fixture.write()
        try await fixture.fixture.add(november(21), "Newer", "New.")
        unlink(fixture["2026/11/2026-11-19 Night 1.json"])
        try fixture.write([november(21)])
        let feed = try fixture.text("feed.xml")
        for (date, text) in [(21, "New."), (20, "Text 0."), (19, "Text 1.")] {
            #expect(try fixture.words("2026-11-\(date)")?["text"]?.text.contains(text) == true && feed.contains(text))
        }
    }

    @Test("The gallery has the newest year when its drawing is cancelled, and the others the next time")
    func stopped() async throws {
        let fixture = try GalleryFixture()
        for year in 2024...2026 { try await fixture.fixture.add(day("\(year)-11-20")) }
        let gallery = try fixture.gallery
        _ = try await cancelled { try gallery.write() }
        func years() -> [String] { fixture.made.filter { $0.hasPrefix("gallery/data/2") } }
        #expect(years() == ["-text", ""].map { "gallery/data/2026\($0).js" })
        try fixture.write()
        #expect(years().count == 6)
        // Whoever deletes the data has all of it again with the next day.
        for name in fixture.made.reversed() where name.hasPrefix("gallery/data") { remove(fixture[name]) }
        try fixture.write([today])
        #expect(years().count == 6)
    }

    @Test(
        "The gallery has its data before the page that shows it",
        .firmFolders)
    func order() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let before = try fixture.text("index.html")
        try await fixture.fixture.add(day("2027-01-01"), "Newer", "New.")
        let locked = try ImmutableFolder(fixture["gallery/data"])
        #expect(throws: Problem.self) { try fixture.write() }
        #expect(try fixture.text("index.html") == before)
        withExtendedLifetime(locked) {}
    }

    @Test("The gallery tells of favorites, of links between days, and of texts with their credits")
    func texts() async throws {
        let fixture = try GalleryFixture()
        try await fixture.add(november(18)) { picture, _ in picture.speaksOf = [Day.first, day("1995-07-22")] }
        try await fixture.add(november(19), "A", "  Two\nlines,\t\u{2028} and Ørsø\u{a0}\r\n") { picture, _ in
            picture.credit = "Ada\nQuill"
        }
        try await fixture.add(today) { picture, _ in picture.speaksOf = [november(18)] }
        try await fixture.fixture.add(day("2026-09-30"), "Words", "", [], state: .placeholder)
        let album = try #require(Album("</script>\u{d4e}<b>".bytes))
        for (name, key) in [
            ("a", Key.day(november(18))), ("b", .day(today)), ("c", Key("lists/cats/Mittens")!),
        ] {
            let place = Place(Name(name)!, in: name == "a" ? .top : album)
            try fixture.archive.favorites.favor([Link(place, to: key)], at: 0)
        }
        let address = try #require(WebAddress("https://example.org/a?b=1&c=\"<"))
        try Gallery(try fixture.archive) { text, record in
            #expect(record["date"]?.string?.hasPrefix("2026") == true)
            return LinkedText([.words("To "), .link(text, address), .words(".")])
        }.write()
        let escaped = "\\u003c/script>\u{d4e}\\u003cb>"
        #expect(
            try fixture.text("gallery/data/favorites.js").hasSuffix(
                "([[\"2026-11-20\",[\"\(escaped)\"]],[\"2026-11-18\",[]],[\"lists/cats/Mittens\",[\"\(escaped)\"]]]);\n"
            ))
        #expect(try fixture.text("gallery/data/links.js").hasSuffix("apod.links([[11478,0,36],[11480,11478]]);\n"))
        let parts = try #require(try fixture.words("2026-11-20")?["text"]?.elements)
        #expect(parts.map(\.string) == ["To ", nil, "."])
        #expect(parts[1].elements?.map(\.string) == ["Some text.", "https://example.org/a?b=1&c=%22%3C"])
        #expect(
            try fixture.text("feed.xml").contains(
                "To &lt;a href=&quot;https://example.org/a?b=1&amp;amp;c=%22%3C&quot;&gt;Some text.&lt;/a&gt;."))
        #expect(
            try fixture.words("2026-11-19")?["credit"]?.elements?[1].elements?.map(\.string) == [
                "Ada\nQuill", "https://example.org/a?b=1&c=%22%3C",
            ])
    }

    @Test("The gallery holds hostile words as words, whatever they stand beside, of days and of other lists")
    func hostile() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(today, Self.hostile, Self.hostile)
        try await fixture.record(november(19)) { $0.failure = Problem(.other, Self.hostile) }
        let list = try ListArchive("x", of: try fixture.archive)
        try await list.add(Self.hostile, text: Self.hostile, credit: Self.hostile)
        try fixture.write(lists: [list.list])
        for name in fixture.drawn where name.hasPrefix("gallery/data") {
            let text = try fixture.text(name)
            #expect(
                !text.contains("<") && !text.unicodeScalars.contains { $0 != "\n" && Text.isInvisible($0) }, "\(name)")
        }
        for name in ["index.html", "feed.xml"] {
            let text = try fixture.text(name)
            #expect(!text.contains("alert(1)</script>") && !text.contains("<script>alert"), "\(name)")
            #expect(!text.unicodeScalars.contains { !Text.isSpace($0) && Text.isInvisible($0) }, "\(name)")
        }
        #expect(try fixture.words("2026-11-20")?["text"]?.string.map(\.bytes) == Self.hostile.bytes)
    }

    @Test("The gallery's data of another list is by years in the list's order, and goes with the gallery")
    func lists() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        #expect(!fixture.made.contains { $0.hasPrefix("gallery/data/lists") })
        #expect(try !fixture.text("index.html").contains("Lists"))
        let list = try ListArchive("hubble", of: try fixture.archive)
        let old = try await list.add("Old", date: "1994-05-25")
        let late = try await list.add(
            "Late", date: "2026-11-14", credit: "ESA", licence: "CC BY 4.0", page: "https://a.example/l")
        let early = try await list.add("Early", date: "2026-11-02")
        for number in 0..<130 { try await list.add("Cat \(number)", text: "Purrs.") }
        let cover = try await list.add(nil)
        func stems(_ year: Int) throws -> [String]? {
            let index = IndexedYear(try contents(fixture[".apod-mirror/lists/hubble/days/\(year).json"]), of: list.list)
            let stems = index?.days.map(\.name.stem) ?? []
            let shown = try fixture.text("gallery/data/lists/hubble/\(year).js").matches(of: #/"stem":"([^"]*)"/#)
            return shown.map { String($0.1) } == (year == 1994 ? [] : stems) ? stems : nil
        }
        try fixture.write([], lists: [list.list])
        _ = try await list.archive.prune([old.key], at: 2_000_000_000)
        try await list.add("Newest")
        try fixture.write([], lists: [list.list])
        #expect(try stems(2026) == ["2026-11-02 Early", "2026-11-14 Late"] && stems(1994) == ["1994-05-25 Old"])
        #expect(try stems(0) == (0..<130).map { "Cat \($0)" } + ["Newest"])
        let head = try fixture.text("gallery/data/lists/hubble/list.js")
        #expect(
            head.contains(
                "apod.list(\"hubble\", {\"years\":[[2026,2],[0,131]],\"cover\":{\"date\":\"hubble.\(cover.key.mark)\""))
        #expect(try fixture.text("gallery/data/lists/hubble/2026.js").contains("\"date\":\"hubble.\(early.key.mark)\""))
        let words = try #require(try fixture.words("hubble.\(late.key.mark)", in: "lists/hubble/2026"))
        #expect(
            ["credit", "licence", "page"].map { words[$0]?.string } == ["ESA", "CC BY 4.0", "https://a.example/l"])
        #expect(try fixture.text("index.html").contains("<a href=\"#lists\" data-names=\"hubble\">Lists</a>"))
        try fixture.gallery.remove()
        #expect(fixture.made.isEmpty, "\(fixture.made)")
    }
}
