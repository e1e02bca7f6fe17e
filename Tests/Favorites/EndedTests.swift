import Apod
import Archive
import Catalog
import Concurrency
import Files
import Glibc
import TestSupport
import Testing

@testable import Favorites

@Suite("The list of favorites, when some have ended")
struct EndedTests {
    private let wall: Wall
    private let clock = TestClock()

    /// Its own items, and how each stands.
    private func items() throws -> [String] {
        try #require(try JSONText(contents("\(wall.root)/favorites.json")).elements).map { item in
            let links = item["links"]?.elements?.count ?? -1
            let removed = item["removed"]?.elements?.count ?? 0
            return "\(item["date"]?.string ?? "") \(links) \(removed)\(item["ended"]?.string == nil ? "" : " ended")"
        }
    }

    init() async throws {
        wall = try await Wall(clock: clock)
        try wall.link("orion", to: Wall.orionLink)
        try wall.link("clouds", to: Wall.cloudsLink)
        try wall.lookAndSettle()
    }

    @Test("is not made before there was any")
    func none() async throws {
        let wall = try await Wall()
        try wall.lookAndSettle()
        #expect(!exists("\(wall.root)/favorites.json"))
    }

    @Test("has them behind the others with the links that went, and a catalog that is made anew knows them from there")
    func ended() async throws {
        try wall.link("json", to: "../2026/11/2026-11-20 Orion Rising.json")
        try wall.lookAndSettle()
        clock.step(by: 10)
        try wall.remove("json")
        try wall.lookAndSettle()
        #expect(try items() == ["2026-09-13 1 0", "2026-11-20 1 1"])
        try wall.remove("orion")
        try wall.lookAndSettle()
        let expected = ["2026-09-13 1 0", "2026-11-20 0 2 ended"]
        #expect(try items() == expected)
        for _ in 0..<2 {
            try await wall.forgetEverything()
            #expect(try wall.days == ["2026-09-13"])
            try wall.lookAndSettle()
            #expect(try items() == expected)
        }
        let outcome = try await wall.shelf.prune([Wall.orion, Wall.clouds], at: clock.seconds)
        #expect(outcome.gone.isEmpty)
        #expect(try wall.restore(.since(0)).sorted() == ["json", "orion"])
        #expect(try items() == ["2026-09-13 1 0", "2026-11-20 2 0"])
    }

    @Test("tells a mirror without a history that those without links have ended, also where it does not say when")
    func withoutTime() async throws {
        let list = """
            [{"date": "2026-09-13", "links": ["clouds"], "added": "2020-01-02T03:04:05Z"},
             {"date": "2026-11-20", "links": [], "added": "2021-01-02T03:04:05Z",
              "removed": [{"link": "orion", "time": "2026-10-02T03:04:05Z"}]},
             {"date": "2019-04-10", "links": [], "added": "2019-01-02T03:04:05Z", "ended": "2026-10-02T03:04:05Z"}]
            """
        try wall.remove("orion")
        try await wall.stop()
        unlink("\(wall.root)/.apod-mirror/history")
        try save(list, to: "\(wall.root)/favorites.json")
        try wall.open()
        try wall.lookAndSettle()
        func told(_ some: [Favorite]) -> [String] { some.map { "\($0.day) \(Time.text($0.added).prefix(4))" } }
        #expect(try told(wall.log.favorites) == ["2026-09-13 2020"])
        #expect(try told(wall.log.ended) == ["2019-04-10 2019", "2026-11-20 2021"])
        #expect(try wall.restore(.days([Wall.orion])) == ["orion"])
        #expect(try told(wall.log.favorites).last == "2026-11-20 2021")
    }

    @Test("has none that ended more than a year ago, from the next time on that it is written")
    func longAgo() async throws {
        try wall.remove("orion")
        try wall.lookAndSettle()
        clock.step(by: 366 * 86_400)
        try await wall.shelf.add(Day(utc: clock.seconds))
        try wall.link("another", to: Wall.cloudsLink)
        try wall.lookAndSettle()
        #expect(try items() == ["2026-09-13 2 0"])
    }
}
