import Apod
import Glibc
import Store
import TestSupport
import Testing

@Suite(.enabled(if: canReadFeeds, "python3-feedparser or python3-lxml is missing"))
struct FeedTests {
    private static let hostile = """
        </title><script>alert(1)</script>&amp; ]]> "'` \u{d4e}<b>\u{202e}\u{9b}\u{2028}\u{1}\u{fffe}\u{ffff} <img src=x onerror=y>
        """

    /// The titles that feed readers see.
    private func read(_ fixture: GalleryFixture) async throws -> [String] {
        try fixture.write()
        let script = "\(Places.packageRoot)/Tests/Clients/Web/feed.py"
        let outcome = try await Program.run("/usr/bin/python3", [script, fixture.root], limit: .seconds(30))
        let lines = outcome.output.split(separator: "\n").map(String.init)
        #expect(lines.filter { !$0.hasPrefix("# ") } == [] && outcome.errors == "")
        return lines.map { String($0.dropFirst(2)) }
    }

    @Test("Feed readers see the newest 30 days, each with its picture, by relative links", arguments: [0, 1, 32])
    func days(count: Int) async throws {
        let fixture = try await GalleryFixture(days: count)
        try await fixture.record(november(21)) { _ in }
        #expect(try await read(fixture) == (0..<min(count, 30)).map { "\(november(20).advanced(by: -$0)) Night \($0)" })
    }

    @Test("Feed readers see hostile words as words, enclosures, an id for each day, and when it changed")
    func kinds() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(november(20), Self.hostile, Self.hostile)
        let page = WebAddress("https://example.org/ap?a=1&b")
        try await fixture.add(
            november(19), "A 50% #1 & é", "Up.", film, fetched: 1_900_000_000
        ) { picture, _ in picture.permalink = page }
        try await fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .png)]) { picture, _ in
            picture.permalink = page
        }
        try await fixture.add(november(17), "A Still", "Up.", [(.picture, .jpeg), (.video, .mp4)]) {
            $1[1].isFormer = true
        }
        try await fixture.fixture.add(november(16), "Words", "Only words.", [], state: .placeholder)
        for folder in ["gallery", "gallery/2026"] { mkdir(fixture[folder], 0o755) }
        try save([1], to: fixture[GallerySize.large.path(of: .day(november(20)))])
        try fixture.note(copiesOf: november(20))
        let titles = try await read(fixture)
        #expect(
            titles[0].contains("</title><script>alert(1)</script>&amp; ]]> \"'`")
                && titles[0].contains("<img src=x onerror=y>"))
        #expect(
            titles.dropFirst() == [
                "2026-11-19 A 50% #1 & é", "2026-11-18 A Flight", "2026-11-17 A Still", "2026-11-16 Words",
            ])
        let feed = try fixture.text("feed.xml")
        for part in [
            "length=\"1000\" href=\"2026/11/2026-11-18%20A%20Flight.png\"", "&lt;p&gt;Only words.",
            "2026-11-19%20A%2050%25%20%231%20%26%20%C3%A9.mp4", "img src=&quot;gallery/2026/2026-11-20-1280.jpg",
            "<updated>2030-03-17T17:46:40Z</updated>", "<published>2026-11-19T00:00:00Z</published>",
            // Fetched by a clock that was behind.
            "<updated>2026-11-18T00:00:00Z</updated>",
        ] { #expect(feed.contains(part), "\(part)") }
        #expect(
            feed.matches(of: #/rel="enclosure" type="([^"]*)"/#).map { String($0.1) } == [
                "image/jpeg", "image/jpeg", "video/mp4", "image/png", "image/jpeg",
            ])
        #expect(feed.matches(of: #/#(.*)</id>/#).map { String($0.1) } == (16...20).reversed().map { "2026-11-\($0)" })
    }
}

private let canReadFeeds = ["feedparser", "lxml"].allSatisfy { exists("/usr/lib/python3/dist-packages/\($0)") }
