import Apod
import Archive
import Catalog
import Files
import Glibc
import TestSupport
import Testing

@testable import Gallery

struct GalleryFilesTests {
    private let today = november(20)

    @Test("The files of the gallery tell of each day what there is of it")
    func days() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(november(16), "Clouds", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.fixture.add(november(17), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.fixture.add(november(18), "Words", "Only.", [], state: .placeholder)
        try await fixture.fixture.add(today, "Orion: Rising", "Look up.")
        try await fixture.archive.record(
            DayStatus(day: november(19), state: .failed, failure: Problem(.folder, "cannot write /srv/apod")))
        try await fixture.fixture.add(november(13), "Too Large", "Only.", [])
        var large = try #require(try fixture.archive.catalog.status(of: november(13)))
        (large.state, large.failure) = (.failed, Problem(.large, "larger than 512 MB"))
        try await fixture.archive.record(large)
        try await fixture.archive.record(DayStatus(day: november(14), state: .failed))
        try await fixture.archive.record(DayStatus(day: november(15), state: .absent))
        try fixture.write()
        for (day, key, value) in [
            (16, "video", "mp4"), (16, "image", "jpg"), (16, "player", nil), (17, "image", "png"),
            (17, "player", "https://example.org/2026-11-17.html"), (18, "title", "Words"), (18, "image", nil),
            (18, "stem", "2026-11-18 Words"), (20, "title", "Orion: Rising"), (20, "stem", "2026-11-20 Orion - Rising"),
            (19, "why", "folder"), (19, "stem", nil), (13, "why", "large"), (13, "title", "Too Large"),
            (14, "why", "waiting"), (18, "why", "none"), (17, "why", nil),
        ] as [(Int, String, String?)] {
            #expect(try fixture.line("2026-11-\(day)")?[key]?.string == value, "\(day) \(key)")
        }
        let picture = try #require(try fixture.line("2026-11-20"))
        #expect(picture["width"]?.integer == 4 && picture["bytes"]?.integer == 1000)
        #expect(try fixture.line("2026-11-15") == nil)
        #expect(try fixture.words("2026-11-20")?["text"]?.string == "Look up.")
        #expect(try fixture.words("2026-11-19") == nil)
    }

    @Test("The files of the gallery tell the average colour of the picture that has copies, and of no other")
    func colors() async throws {
        let fixture = try await GalleryFixture(days: 4)
        for (date, color) in [("2026-11-20", 0x01_0a0f), ("2026-11-19", nil), ("2026-11-18", 0xff_ffff)]
            as [(String, Int?)]
        {
            try fixture.note(copiesOf: day(date), color: color)
        }
        try fixture.note(copiesOf: november(17), refusal: "too large", color: 1)
        try await fixture.fixture.add(november(18), "Night 2", bytes: 999)
        try fixture.write()
        #expect(try fixture.line("2026-11-20")?["color"]?.string == "010a0f")
        for date in 17...19 { #expect(try fixture.line("2026-11-\(date)")?["color"] == nil) }
    }

    @Test("The files of the gallery tell of a further picture what they tell of the first")
    func further() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(
            today, "Twins", "Text.", [(.picture, .jpeg), (.also(2), .png), (.also(3), .jpeg)])
        try fixture.note(copiesOf: today, 2, color: 0x01_0a0f)
        try fixture.write()
        let line = try #require(try fixture.line("2026-11-20"))
        let also = try #require(line["also"]?.elements)
        #expect(line["copies"] == nil && also.map { $0["number"]?.integer } == [2, 3])
        #expect(also.map { $0["color"]?.string } == ["010a0f", nil])
        #expect(also.map { $0["copies"]?.integer } == [1, nil] && also.map { $0["image"]?.string } == ["png", "jpg"])
    }

    @Test(
        "The files of the gallery tell what was replaced, when and what it was, and no more of it when that is deleted or comes back"
    )
    func replaced() async throws {
        let fixture = try GalleryFixture()
        let old = day("2025-11-20")
        for files: [(StoredFile.Role, MediaType)] in [
            [(.picture, .jpeg)], [(.video, .mp4), (.poster, .png)], [(.page, .html)], [(.picture, .jpeg)],
        ] { try await fixture.fixture.add(today, "Night", "Words \(files.count).", files, bytes: 100 + files.count) }
        try await fixture.fixture.add(old, "Older", bytes: 100)
        try await fixture.fixture.add(old, "Older", bytes: 200)
        let archive = try fixture.archive
        let versions = try archive.catalog.versions()
        let when = try #require(versions[today]).map { "\(Day(utc: $0.replaced))" }
        func told(_ day: Day) throws -> [[String?]]? {
            try fixture.line("\(day)")?["replaced"]?.elements?.map { $0.elements?.map(\.string) ?? [] }
        }
        try fixture.write()
        #expect(try told(today)?.map { $0[1] } == ["picture", "video", "picture", "page"])
        #expect(try told(today)?.map { $0[0] } == [when[0], when[1], when[1], when[2]])
        #expect(try told(old)?.count == 1)
        let changes = archive.listenForChanges()
        _ = try await archive.prune(versions[old] ?? []) { _ in false }
        #expect(changes.all == [old])
        try fixture.write(.days([today]))
        #expect(try told(today)?.count == 4)
        #expect(try told(old)?.count == 1)
        try fixture.write(.days([old]))
        #expect(try told(old) == nil)
    }

    @Test("The files of the gallery never say why of a day that is here, which is for whoever keeps the mirror")
    func reasons() async throws {
        let fixture = try await GalleryFixture(days: 1)
        var status = try #require(try fixture.archive.catalog.status(of: today))
        (status.state, status.failure) = (.failed, "cannot write /srv/apod: it broke")
        try await fixture.archive.record(status)
        try fixture.write()
        #expect(try fixture.line("2026-11-20")?["why"] == nil)
        for name in fixture.made where !name.hasSuffix("/") {
            #expect(try !fixture.text(name).contains("/srv"), "\(name)")
        }
    }

    @Test(
        "The files of the gallery tell which pictures have smaller copies, a deleted one or one that has become another not"
    )
    func sizes() async throws {
        let fixture = try await GalleryFixture(days: 5)
        try fixture.write()
        #expect(try fixture.line("2026-11-20")?["copies"] == nil)
        for date in ["2026-11-20", "2026-11-18", "2026-11-17"] { try fixture.note(copiesOf: day(date)) }
        try fixture.note(copiesOf: november(16), refusal: "too large")
        _ = try await fixture.archive.prune([november(18)], at: 2_000_000_000)
        try await fixture.fixture.add(november(17), "Night 3", bytes: 999)
        try fixture.write(.days([today]))
        let both = try #require(try fixture.line("2026-11-20"))
        #expect(both["copies"] != nil)
        for date in ["2026-11-19", "2026-11-17", "2026-11-16"] {
            let none = try #require(try fixture.line(date))
            #expect(none["copies"] == nil)
        }
        let pruned = try #require(try fixture.line("2026-11-18"))
        #expect(pruned["pruned"] != nil && pruned["copies"] == nil && pruned["image"] == nil)
        #expect(try fixture.text("feed.xml").contains("gallery/2026/2026-11-20-1280.jpg"))
        // Fetched by a clock that was behind.
        #expect(try fixture.text("feed.xml").contains("<updated>2026-11-20T00:00:00Z</updated>"))
    }

    @Test("The files of the gallery are asked for by what they say, and let no script run but the mirror's own")
    func versions() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let index = try fixture.text("index.html")
        let addresses = index.matches(of: #/(?:src|href)="(gallery/[^"]*\.(?:js|css))([^"]*)"/#)
        let files = ["gallery.css", "gallery.js", "data/2026.js", "data/favorites.js"].map { "gallery/\($0)" }
        #expect(addresses.map { String($0.1) } == files)
        #expect(addresses.allSatisfy { $0.2 == Look.version })
        #expect(Look.version.wholeMatch(of: #/\?v=[0-9a-f]{8}/#) != nil)
        #expect(try !fixture.text("gallery/gallery.js").contains(Look.version))
        let policy = try #require(index.split(separator: "\n").first { $0.contains("Content-Security-Policy") })
        #expect(policy.contains("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
    }

    @Test("The files of the gallery have the newest day's picture loaded first, if that has a copy to load")
    func first() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(november(17))
        try await fixture.fixture.add(november(18), "A Video", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.fixture.add(november(19), "A Player", "Up.", [(.page, .html)])
        try await fixture.fixture.add(today, "Words", "Only.", [], state: .placeholder)
        let stored = try fixture.archive.catalog.storedDays().reversed().compactMap(\.stored)
        func first(with copies: String...) -> Day? {
            Feed(entries: stored.map { Feed.Entry(stored: $0, hasLarge: copies.contains("\($0.name.day)")) }).first
        }
        #expect(first(with: "2026-11-17", "2026-11-18") == november(18))
        #expect(first(with: "2026-11-17") == nil && first() == nil)
        func page(_ first: Day?) -> String {
            String(decoding: IndexPage(bar: ArchiveBar(), first: first).bytes, as: UTF8.self)
        }
        let link = "<link rel=\"preload\" as=\"image\" href=\"gallery/2026/2026-11-20-1280.jpg\">\n"
        #expect(page(today).replacing(link, with: "") == page(nil) && page(today) != page(nil))
    }

    @Test("The files of the gallery are there without any day, and with one", arguments: [0, 1])
    func few(days: Int) async throws {
        let fixture = try await GalleryFixture(days: days)
        try fixture.write()
        let marks = [".ignore", ".noimage", ".nomedia", ".nomemories"]
        let scripts = [
            "calendar", "gallery", "help", "lists", "others", "page", "search", "served", "slideshow", "viewer",
        ].map {
            "\($0).js"
        }
        let names = ["", ".made-by-apod-mirror/", "data/", "gallery.css", "icon.svg", "viewer.css"] + scripts + marks
        let data = ["-search", "-text", ""].map { "gallery/data/2026\($0).js" }
        let all =
            names.map { "gallery/\($0)" } + [
                "gallery/data/favorites.js", "gallery/data/links.js", "index.html", "feed.xml",
            ]
        #expect(fixture.made == (all + (days == 0 ? [] : data)).sorted())
        #expect(try fixture.text("index.html").contains("<a href=\"#2026\"") == (days == 1))
    }

    @Test("The files of the gallery say which days are missing, failed, deleted, or never were")
    func bar() async throws {
        let fixture = try await GalleryFixture(days: 3)
        let archive = try fixture.archive
        try await archive.record(DayStatus(day: november(16), state: .failed, failure: "it broke"))
        try await archive.record(DayStatus(day: november(15), state: .absent))
        _ = try await archive.prune([november(18)], at: 2_000_000_000)
        try fixture.write(wanted: november(14)...today)
        let letters = try #require(try fixture.text("index.html").firstMatch(of: #/data-days="([^"]*)">2026/#)).1
        #expect(letters.count == 365)
        #expect(letters.dropFirst(316).prefix(10) == ".m.fmphh..")
        #expect(letters.allSatisfy { ".mfph".contains($0) })
    }

    @Test(
        "The files of the gallery of every year that there can be",
        arguments: ["1995-06-16", "2000-02-29", "2094-12-31"])
    func years(date: String) async throws {
        let fixture = try await GalleryFixture(days: 1, to: day(date))
        try fixture.write()
        #expect(try fixture.line(date)?["title"]?.string == "Night 0")
        let index = try fixture.text("index.html")
        #expect(index.contains("gallery/data/\(date.prefix(4)).js"))
        let letters = try #require(index.firstMatch(of: #/data-days="([^"]*)"/#)).1
        #expect(letters.count == (date.hasPrefix("2000") ? 366 : 365) && letters.count { $0 == "h" } == 1)
    }

    @Test("The files of the gallery of its year, the frame and the feed are all that a new day writes")
    func newDay() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try await fixture.fixture.add(day("2025-11-20"), "Older")
        try fixture.write()
        let written = try await fixture.written {
            try await fixture.fixture.add(november(21), "Newer")
            try fixture.write(.days([november(21)]))
        }
        let data = ["-search", "-text", ""].map { "gallery/data/2026\($0).js" }
        #expect(written == ["feed.xml"] + data + ["index.html"])
        #expect(try fixture.words("2026-11-20")?["text"]?.string == "Text 0.")
        #expect(try fixture.words("2026-11-21") != nil)
        // Where somebody has deleted what they show, all are made.
        for name in listing(fixture["gallery/data"]) { unlink(fixture["gallery/data/\(name)"]) }
        rmdir(fixture["gallery/data"])
        try fixture.write(.days([today]))
        #expect(try fixture.line("2025-11-20") != nil)
    }

    @Test("The files of the gallery take the text of a day that has become another, and read no other day again")
    func correction() async throws {
        let fixture = try await GalleryFixture(days: 2)
        try fixture.write()
        // Nobody could read it once more.
        unlink(fixture["2026/11/2026-11-19 Night 1.json"])
        try await fixture.fixture.add(today, "Another", "Corrected.")
        try fixture.write(.days([today]))
        #expect(try fixture.words("2026-11-20")?["text"]?.string == "Corrected.")
        #expect(try fixture.line("2026-11-20")?["title"]?.string == "Another")
        #expect(try fixture.words("2026-11-19")?["text"]?.string == "Text 1.")
    }

    @Test(
        "The files of the gallery have a text again that could not be read for a while, and stay as they are when nothing has changed"
    )
    func unreadable() async throws {
        let fixture = try await GalleryFixture(days: 2)
        let json = fixture["2026/11/2026-11-19 Night 1.json"]
        rename(json, json + ".away")
        try fixture.write()
        #expect(try fixture.words("2026-11-19") == nil)
        rename(json + ".away", json)
        try fixture.write()
        #expect(try fixture.words("2026-11-19")?["text"]?.string == "Text 1.")
        #expect(try await fixture.written { try fixture.write() }.isEmpty)
        #expect(try await fixture.written { try fixture.gallery.writeFavorites() }.isEmpty)
    }

    @Test("The files of the gallery that another version has made are made anew")
    func otherVersion() async throws {
        let fixture = try await GalleryFixture(days: 1)
        try fixture.write()
        let name = "gallery/data/2026-text.js"
        let mine = try fixture.text(name)
        let other = mine.replacing("// 1 ", with: "// 0 ").replacing("Text 0", with: "Old")
        try save(other, to: fixture[name])
        try fixture.write()
        #expect(try fixture.text(name) == mine)
    }

    @Test("The files of the gallery tell of favorites and their albums, newest first")
    func favorites() async throws {
        let fixture = try await GalleryFixture(days: 3)
        try fixture.write()
        let album = try #require(Album(Array("</script>\u{d4e}<b>".utf8)))
        let links = [
            Link(Place(Name("a")!, in: .top), to: november(18)), Link(Place(Name("b")!, in: album), to: today),
        ]
        try fixture.archive.favorites.favor(links, at: 0)
        let written = try await fixture.written { try fixture.gallery.writeFavorites() }
        #expect(written == ["gallery/data/favorites.js"])
        let text = try fixture.text("gallery/data/favorites.js")
        #expect(
            text.contains("[\n[\"2026-11-20\",[\"\\u003c/script>\u{d4e}\\u003cb>\"]],\n[\"2026-11-18\",[]],\n]);\n"))
        let item = Link(Place(Name("c")!, in: album), to: Subject("lists/cats/Mittens")!)
        try fixture.archive.favorites.favor([item], at: 1)
        try fixture.gallery.writeFavorites()
        #expect(
            try fixture.text("gallery/data/favorites.js").hasSuffix(
                "[\"2026-11-18\",[]],\n], [\n[\"lists/cats/Mittens\",[\"\\u003c/script>\u{d4e}\\u003cb>\"]],\n]);\n"))
    }

    @Test("The files of the gallery are of the newest year alone when that is to stop, and of the others the next time")
    func stopped() async throws {
        let fixture = try GalleryFixture()
        for year in 2024...2026 { try await fixture.fixture.add(day("\(year)-11-20")) }
        let gallery = try fixture.gallery
        try await cancelled { try gallery.write(.all, wanted: nil) }
        func years() -> [String] { fixture.made.filter { $0.hasPrefix("gallery/data/2") } }
        #expect(years() == ["-search", "-text", ""].map { "gallery/data/2026\($0).js" })
        try fixture.write()
        #expect(years().count == 9)
    }

    @Test(
        "The files of the gallery are there before the page that shows them",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
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

    @Test("The files of the gallery have the links of a text")
    func links() async throws {
        let fixture = try await GalleryFixture(days: 1)
        let address = try #require(WebAddress("https://example.org/a?b=1&c=\"<"))
        let gallery = Gallery(try fixture.archive) { text, record in
            #expect(record["date"]?.string == "2026-11-20")
            return LinkedText([.words("To "), .link(text, address), .words(".")])
        }
        try gallery.write(.all, wanted: nil)
        let parts = try #require(try fixture.words("2026-11-20")?["text"]?.elements)
        #expect(parts.map(\.string) == ["To ", nil, "."])
        #expect(parts[1].elements?.map(\.string) == ["Text 0.", "https://example.org/a?b=1&c=%22%3C"])
        let link = "To &lt;a href=&quot;https://example.org/a?b=1&amp;amp;c=%22%3C&quot;&gt;Text 0.&lt;/a&gt;."
        #expect(try fixture.text("feed.xml").contains(link))
    }

    @Test("The files of the gallery hold hostile words as words, whatever they stand beside")
    func hostile() async throws {
        let words = "</script><script>alert(1)</script>\u{d4e}<!-- \"'` \u{2028}\u{202e}\u{9b}\\ ]]>&amp;"
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(today, words, words)
        try await fixture.archive.record(
            DayStatus(day: november(19), state: .failed, failure: Problem(.other, words)))
        try fixture.write()
        for name in ["", "-text", "-search"].map({ "gallery/data/2026\($0).js" }) {
            let bytes = try contents(fixture[name])
            #expect(!bytes.contains(UInt8(ascii: "<")), "\(name)")
            let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars
            #expect(!scalars.contains { $0 != "\n" && Text.isInvisible($0) }, "\(name)")
        }
        for name in ["index.html", "feed.xml"] {
            let text = try fixture.text(name)
            #expect(!text.contains("alert(1)</script>") && !text.contains("<script>alert"), "\(name)")
            #expect(!text.unicodeScalars.contains { !Text.isSpace($0) && Text.isInvisible($0) }, "\(name)")
        }
        #expect(try fixture.words("2026-11-20")?["text"]?.string.map { Array($0.utf8) } == Array(words.utf8))
    }
}

struct FeedTests {
    @Test("The feed has the newest 30 days, each with its picture, and only relative links to them")
    func newest() async throws {
        let fixture = try await GalleryFixture(days: 32)
        try fixture.write()
        let feed = try fixture.text("feed.xml")
        let entries = feed.components(of: "<entry>").dropFirst()
        #expect(entries.count == 30)
        let first = try #require(entries.first)
        for part in [
            "<id>https://apod.nasa.gov/#2026-11-20</id>", "href=\"https://apod.nasa.gov/apod/ap261120.html\"",
            "<title>Night 0</title>", "Text 0.", "&lt;img src=&quot;2026/11/2026-11-20%20Night%200.jpg&quot;",
            "type=\"image/jpeg\" length=\"1000\" href=\"2026/11/2026-11-20%20Night%200.jpg\"",
            "href=\"index.html#2026-11-20\"",
        ] { #expect(first.contains(part)) }
        #expect(!feed.contains("xml:base"))
        #expect(entries.last?.contains("Night 29") == true)
    }

    @Test("The feed has what its days have become, and leaves out a day that cannot be read")
    func entries() async throws {
        let fixture = try await GalleryFixture(days: 3)
        unlink(fixture["2026/11/2026-11-19 Night 1.json"])
        try fixture.write()
        try await fixture.fixture.add(november(20), "Another", "Corrected.")
        try await fixture.fixture.add(november(21), "A 50% #1 & é", "New.")
        try fixture.write()
        let entries = try fixture.text("feed.xml").components(of: "<entry>").dropFirst().map { "\($0)" }
        #expect(entries.count == 3 && entries[0].contains("New.") && entries[1].contains("Corrected."))
        #expect(entries[0].contains("2026-11-21%20A%2050%25%20%231%20%26%20%C3%A9.jpg"))
        #expect(entries[2].contains("Text 2.") && !entries[1].contains("Text 0."))
        try fixture.note(copiesOf: november(21))
        try fixture.write()
        #expect(try fixture.text("feed.xml").contains("img src=&quot;gallery/2026/2026-11-21-1280.jpg"))
        #expect(try fixture.text("feed.xml").components(of: "<entry>").count == 4)
        // Nothing but the text.
        try await fixture.fixture.add(november(18), "Night 2", "Anew.")
        try fixture.write()
        let last = try fixture.text("feed.xml").components(of: "<entry>").last
        #expect(last?.contains("Anew.") == true && last?.contains("Text 2.") == false)
    }

    @Test("The feed has an id of its own for each day, also where NASA has one page for several, and keeps it")
    func ids() async throws {
        let fixture = try GalleryFixture()
        let page = "https://example.org/ap?a=1&amp;b"
        for date in ["2026-11-19", "2026-11-20"] { try await fixture.add(day(date), permalink: page) }
        for title in ["A Title", "Another"] {
            try await fixture.add(november(19), permalink: page, title: title)
            try fixture.write()
            let feed = try fixture.text("feed.xml")
            let ids = feed.matches(of: #/<id>(.*)</id>/#).dropFirst().map { String($0.1) }
            #expect(ids == ["https://apod.nasa.gov/#2026-11-20", "https://apod.nasa.gov/#2026-11-19"])
            #expect(feed.components(of: "href=\"\(page)\"").count == 3)
        }
    }

    @Test("The feed tells of the files that can be had, and when a day has become what it is")
    func facts() async throws {
        let fixture = try GalleryFixture()
        let made = try fixture.fixture.arrival(november(20), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        let metadata = Metadata(
            name: made.metadata.name, picture: made.metadata.picture, files: made.metadata.files, downgraded: false,
            fetched: 1_900_000_000)
        try await fixture.archive.add(StagedDay(metadata, staged: made.staged, status: made.status))
        try fixture.write()
        let feed = try fixture.text("feed.xml")
        #expect(feed.components(of: "rel=\"enclosure\"").count == 2)
        #expect(feed.contains("type=\"image/png\" length=\"1000\""))
        #expect(feed.components(of: "<updated>2030-03-17T17:46:40Z</updated>").count == 3)
        #expect(feed.contains("<published>2026-11-20T00:00:00Z</published>"))
    }

    @Test("The feed encloses no video whose place a picture has taken")
    func formerVideo() async throws {
        let fixture = try GalleryFixture()
        let made = try fixture.fixture.arrival(november(20), "A Still", "Up.", [(.picture, .jpeg), (.video, .mp4)])
        var files = made.metadata.files
        files[1].isFormer = true
        let metadata = Metadata(
            name: made.metadata.name, picture: made.metadata.picture, files: files, downgraded: false, fetched: 1)
        try await fixture.archive.add(StagedDay(metadata, staged: made.staged, status: made.status))
        try fixture.write()
        let feed = try fixture.text("feed.xml")
        #expect(feed.components(of: "rel=\"enclosure\"").count == 2 && feed.contains("type=\"image/jpeg\""))
    }
}

extension String {
    fileprivate func components(of mark: String) -> [Substring] {
        split(separator: mark, omittingEmptySubsequences: false)
    }
}
