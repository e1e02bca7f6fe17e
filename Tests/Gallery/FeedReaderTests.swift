import Apod
import Archive
import Catalog
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: canReadFeeds, "python3-feedparser or python3-lxml is missing"))
struct FeedReaderTests {
    private static let hostile = """
        </title><script>alert(1)</script>&amp; ]]> "'` \u{d4e}<b>\u{202e}\u{9b}\u{2028}\u{1}\u{fffe}\u{ffff} <img src=x onerror=y>
        """

    private func read(_ fixture: GalleryFixture) async throws -> (wrong: String, titles: [String]) {
        let script = "\(Places.packageRoot)/Tests/Clients/Web/feed.py"
        let outcome = try await Program.run("/usr/bin/python3", [script, fixture.root], limit: .seconds(30))
        let lines = outcome.output.split(separator: "\n").map(String.init)
        let wrong = lines.filter { !$0.hasPrefix("# ") }.joined(separator: "\n") + outcome.errors
        return (wrong, lines.filter { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) })
    }

    @Test(
        "Feed readers find nothing wrong in a feed without any day, with one, and with too many for it",
        arguments: [0, 1, 32])
    func days(count: Int) async throws {
        let fixture = try await GalleryFixture(days: count)
        try fixture.write()
        let (wrong, titles) = try await read(fixture)
        #expect(wrong == "" && titles.count == min(count, 30))
        #expect(titles.first == (count == 0 ? nil : "2026-11-20 Night 0"))
    }

    @Test("Feed readers see the words of a hostile day as words, its video, its page and a day without picture")
    func hostile() async throws {
        let fixture = try GalleryFixture()
        try await fixture.fixture.add(november(20), Self.hostile, Self.hostile)
        try await fixture.fixture.add(november(19), "A 50% #1 & é", "Up.", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.fixture.add(november(18), "A Flight", "Up.", [(.page, .html), (.poster, .png)])
        try await fixture.fixture.add(november(17), "Words", "Only words.", [], state: .placeholder)
        mkdir(fixture["gallery"], 0o755)
        mkdir(fixture["gallery/2026"], 0o755)
        try save([1], to: fixture[GallerySize.large.path(of: november(20))])
        try fixture.note(copiesOf: november(20))
        try fixture.write()
        let (wrong, titles) = try await read(fixture)
        #expect(wrong == "")
        let first = try #require(titles.first)
        #expect(first.contains("</title><script>alert(1)</script>&amp; ]]> \"'`"))
        #expect(first.contains("<img src=x onerror=y>"))
        #expect(titles.dropFirst() == ["2026-11-19 A 50% #1 & é", "2026-11-18 A Flight", "2026-11-17 Words"])
    }
}

private let canReadFeeds = ["feedparser", "lxml"].allSatisfy { name in
    exists("/usr/lib/python3/dist-packages/\(name)")
}
