import Apod
import Archive
import Catalog
import Concurrency
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

struct EndedTests {
    private let fixture: FavoritesFixture
    private let clock = TestClock()

    /// Its own items, and how each stands.
    private func items() throws -> [String] {
        try #require(try JSONText(contents("\(fixture.root)/favorites.json")).elements).map { item in
            let links = item["links"]?.elements?.count ?? -1
            let removed = item["removed"]?.elements?.count ?? 0
            return "\(item["date"]?.string ?? "") \(links) \(removed)\(item["ended"]?.string == nil ? "" : " ended")"
        }
    }

    init() async throws {
        fixture = try await FavoritesFixture(clock: clock)
        try fixture.link("orion", to: FavoritesFixture.orionLink)
        try fixture.link("clouds", to: FavoritesFixture.cloudsLink)
        try fixture.lookAndSettle()
    }

    @Test("The list of favorites, when some have ended is not made before there was any")
    func none() async throws {
        let fixture = try await FavoritesFixture()
        try fixture.lookAndSettle()
        #expect(!exists("\(fixture.root)/favorites.json"))
    }

    @Test(
        "The list of favorites, when some have ended has them behind the others with the links that went, and a catalog that is made anew knows them from there"
    )
    func ended() async throws {
        try fixture.link("json", to: "../2026/11/2026-11-20 Orion Rising.json")
        try fixture.lookAndSettle()
        clock.step(by: 10)
        try fixture.remove("json")
        try fixture.lookAndSettle()
        #expect(try items() == ["2026-09-13 1 0", "2026-11-20 1 1"])
        try fixture.remove("orion")
        try fixture.lookAndSettle()
        let expected = ["2026-09-13 1 0", "2026-11-20 0 2 ended"]
        #expect(try items() == expected)
        for _ in 0..<2 {
            try await fixture.forgetEverything()
            #expect(try fixture.days == ["2026-09-13"])
            try fixture.lookAndSettle()
            #expect(try items() == expected)
        }
        let outcome = try await fixture.mirror.prune(
            [FavoritesFixture.orion, FavoritesFixture.clouds], at: clock.seconds)
        #expect(outcome.gone.isEmpty)
        #expect(try fixture.restore(.since(0)).sorted() == ["json", "orion"])
        #expect(try items() == ["2026-09-13 1 0", "2026-11-20 2 0"])
    }

    @Test(
        "The list of favorites, when some have ended tells a mirror without a history that those without links have ended"
    )
    func withoutTime() async throws {
        let list = """
            [{"date": "2026-09-13", "links": ["clouds"], "added": "2020-01-02T03:04:05Z"},
             {"date": "2026-11-20", "links": [], "added": "2021-01-02T03:04:05Z",
              "removed": [{"link": "orion", "time": "2026-10-02T03:04:05Z"}]},
             {"date": "2019-04-10", "links": [], "added": "2019-01-02T03:04:05Z", "ended": "2026-10-02T03:04:05Z",
              "removed": [{"link": "a/b", "time": "2026-10-02T03:04:05Z"}]}]
            """
        try fixture.remove("orion")
        try await fixture.stop()
        unlink("\(fixture.root)/.apod-mirror/history")
        try save(list, to: "\(fixture.root)/favorites.json")
        try fixture.open()
        try fixture.lookAndSettle()
        func told(_ some: [Favorite]) -> [String] { some.map { "\($0.day) \(Time.text($0.added).prefix(4))" } }
        #expect(try told(fixture.log.favorites) == ["2026-09-13 2020"])
        #expect(try told(fixture.log.ended) == ["2019-04-10 2019", "2026-11-20 2021"])
        #expect(try fixture.restore(.days([FavoritesFixture.orion])) == ["orion"])
        #expect(try told(fixture.log.favorites).last == "2026-11-20 2021")
    }

    @Test(
        "The list of favorites, when some have ended has none that ended more than a year ago, from the next time on that it is written"
    )
    func longAgo() async throws {
        try fixture.remove("orion")
        try fixture.lookAndSettle()
        clock.step(by: 366 * 86_400)
        try await fixture.mirror.add(Day(utc: clock.seconds))
        try fixture.link("another", to: FavoritesFixture.cloudsLink)
        try fixture.lookAndSettle()
        #expect(try items() == ["2026-09-13 2 0"])
    }
}
