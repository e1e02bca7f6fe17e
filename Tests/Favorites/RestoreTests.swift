import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

struct RestoreTests {
    private let fixture: FavoritesFixture
    private static let json = "2026/11/2026-11-20 Orion Rising.json"
    private let clock = TestClock()

    /// Two links to one day, to its picture and its JSON, one of them in an album in an album; and two to others.
    init() async throws {
        fixture = try await FavoritesFixture(settleDelay: .seconds(2), clock: clock)
        try fixture.album("a")
        try fixture.album("a/b")
        for (place, target) in zip(Self.places, Self.targets) { try fixture.link(place, to: target) }
        try fixture.lookAndRest()
    }

    private static let places = ["a/b/facts", "a/clouds", "picture", "wish"]
    private static let targets = [
        "../../../\(json)", "../../\(FavoritesFixture.cloudsFile)", FavoritesFixture.orionLink, "2019-04-10",
    ]
    private static let all = ["2019-04-10: wish", "2026-09-13: a/clouds", "2026-11-20: picture, a/b/facts"]

    private var targets: [String?] { Self.places.map(fixture.target) }

    /// And the service has seen it.
    private func takeAway(_ name: String) throws {
        try fixture.remove(name)
        try fixture.lookAndRest(at: name)
    }

    private func removeAll() throws {
        for place in Self.places { try fixture.remove(place) }
        rmdir(fixture["a/b"])
        rmdir(fixture["a"])
        try fixture.lookAndRest()
        #expect(try fixture.days == [])
    }

    @Test(
        "Links that are made again are as they were, with their dates, also by a new catalog", arguments: [false, true])
    func asTheyWere(isNew: Bool) async throws {
        let before = try fixture.log.favorites.map(\.added)
        clock.advance(by: .seconds(5000))
        try removeAll()
        #expect(try fixture.restore(.known) == [])
        if isNew {
            try await fixture.forgetEverything()
            try fixture.look()
        }
        #expect(try fixture.restore(.since(clock.seconds - 10)).sorted() == Self.places)
        #expect(targets == Self.targets)
        #expect(try fixture.favorites == Self.all && fixture.log.favorites.map(\.added) == before)
        #expect(try fixture.restore(.since(0)) == [])
        #expect(targets == Self.targets)
    }

    @Test(
        "A link that is made again gets a number where something else has its name, however long that is",
        arguments: [20, 240, 251])
    func taken(length: Int) async throws {
        let name = String(repeating: "x", count: length - 4) + ".jpg"
        try fixture.link(name, to: FavoritesFixture.orionLink)
        try fixture.lookAndRest()
        try takeAway(name)
        try fixture.link(name, to: "/etc/passwd")
        try fixture.look(at: name)
        let new = "2 \(name.suffix(240))"
        #expect(try fixture.restore(.days([FavoritesFixture.orion])) == [new])
        #expect(fixture.target(name) == "/etc/passwd" && fixture.target(new) == FavoritesFixture.orionLink)
        #expect(try fixture.restore(.days([FavoritesFixture.orion])) == [])
    }

    @Test("Undoing the end of a favorite brings back the links that went together last")
    func undone() async throws {
        try takeAway("a/b/facts")
        clock.advance(by: .seconds(1000))
        #expect(try fixture.restore(.lastOf(FavoritesFixture.clouds)) == [])
        try takeAway("a/clouds")
        try fixture.link("second", to: FavoritesFixture.orionLink)
        try fixture.lookAndRest()
        // One second after another.
        for name in ["second", "picture"] {
            try fixture.remove(name)
            try fixture.look(at: name)
            clock.advance(by: .seconds(1))
        }
        try fixture.rest()
        #expect(try fixture.days == ["2019-04-10"])
        #expect(try fixture.restore(.lastOf(FavoritesFixture.orion)).sorted() == ["picture", "second"])
        #expect(try fixture.days == ["2019-04-10", "2026-11-20"])
    }

    @Test(
        "Links come back where they were last, and nothing of what was only moved",
        arguments: [
            (["mv a c", "rm -r c"], ["c/b/facts", "c/clouds"]),
            (["mv a c", "mv c d", "rm -r d"], ["d/b/facts", "d/clouds"]),
            (["mv picture p", "rm p"], ["p"]), (["mv a c"], []), (["mv a c", "mv c a"], []),
        ], [false, true])
    func moved(what: (scripts: [String], back: [String]), rests: Bool) async throws {
        for script in what.scripts {
            try await fixture.shell(script)
            try fixture.look()
            clock.advance(by: .milliseconds(400))
        }
        if rests { try fixture.rest() }
        #expect(try fixture.restore(.since(0)).sorted() == what.back)
        try fixture.rest()
        #expect(try fixture.log.known.removedLinks().isEmpty && fixture.log.favorites.count == 3)
    }
}
