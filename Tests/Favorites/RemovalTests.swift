import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@testable import Favorites

struct RemovalTests {
    private let fixture: FavoritesFixture
    private let clock = TestClock()

    /// Four links, two of them to one day, and one in an album in an album.
    init() async throws {
        fixture = try await FavoritesFixture(settleDelay: .seconds(2), clock: clock)
        try await fixture.shell(
            "mkdir -p a/b; ln -s \"$ORION\" a/b/x; ln -s \"$ORION\" y; ln -s \"$CLOUDS\" z; ln -s 2019-04-10 a/w")
        try fixture.lookAndRest()
    }

    private static let all = ["2019-04-10: a/w", "2026-09-13: z", "2026-11-20: y, a/b/x"]

    @Test(
        "Links that go end their favorites after two seconds, one or all, seen at once or by the next start",
        arguments: [
            ("rm y", ["2019-04-10: a/w", "2026-09-13: z", "2026-11-20: a/b/x"]),
            ("rm -r a y z", []), ("rm -r a; : >a", ["2026-09-13: z", "2026-11-20: y"]),
            ("mv a ../aside; ln -s ../../aside a", ["2026-09-13: z", "2026-11-20: y"]),
            // The folder is there, and another one.
            ("rm -r \"$ROOT/favorites\"; mkdir \"$ROOT/favorites\"", []),
        ], [true, false])
    func end(what: (script: String, left: [String]), restarts: Bool) async throws {
        try await fixture.shell(what.script)
        if restarts { try await fixture.restart() }
        try fixture.look()
        #expect(try fixture.favorites == Self.all)
        clock.advance(by: .seconds(1))
        _ = try fixture.keeper.settle()
        #expect(try fixture.favorites == Self.all)
        try fixture.rest()
        #expect(try fixture.favorites == what.left)
        let moment = clock.seconds - 3
        #expect(try fixture.log.known.removedLinks().allSatisfy { $0.went == moment })
        // They come back, with their dates.
        let added = try fixture.log.ended.map(\.added)
        #expect(added.allSatisfy { $0 < moment })
    }

    @Test(
        "No link goes while the folder is not there, nor what went just before",
        arguments: ["seen", "seen by the next start", "not seen before two seconds have passed"],
        [
            "mv favorites aside", "rm -r favorites", "rm -r favorites; : >favorites",
            "mv favorites aside; ln -s aside favorites",
        ])
    func lost(when: String, script: String) async throws {
        try fixture.remove("z")
        try fixture.look(at: "z")
        try await fixture.shell("cd \"$ROOT\"; \(script)")
        if when == "seen by the next start" { try await fixture.restart() }
        if when == "not seen before two seconds have passed" { try fixture.rest() }
        for _ in 0..<3 {
            try fixture.lookAndRest()
            #expect(try fixture.favorites == Self.all)
        }
        #expect(try fixture.history.allSatisfy { !$0.hasPrefix("went") })
    }

    @Test(
        "A folder that is lost is made anew only without favorites",
        arguments: ["y z", "a", "a y z"])
    func newFolder(ended: String) async throws {
        try await fixture.shell("rm -r \(ended)")
        try fixture.lookAndRest()
        try await fixture.shell("cd \"$ROOT\"; rm -r favorites")
        fixture.keeper.makeFolder()
        #expect(exists(fixture.folder) == (ended == "a y z"))
    }

    @Test(
        "No link goes with an album that cannot be read, nor with one over which something is mounted",
        .disks, arguments: [0, 1, 2])
    func unread(how: Int) async throws {
        var held: Any?
        switch how {
        case 0: try await fixture.shell("chown -R nobody \"$ROOT\"; chown root a; chmod 700 a")
        case 1: held = try BindMount(of: fixture.mirror.folder.path, over: fixture["a"])
        default: held = try BindMount(of: fixture.mirror.folder.path, over: fixture.folder)
        }
        func work() throws {
            for _ in 0..<2 {
                try fixture.look()
                try fixture.lookAndRest(at: "a/w", "a/b/x")
            }
            #expect(try fixture.favorites == Self.all)
        }
        if how == 0 { try Person.asAnother(work) } else { try work() }
        if how == 1 { #expect(try fixture.catalog.leftAlone().first.map(\.place.description) == ["a"]) }
        withExtendedLifetime(held) {}
    }

    @Test("What ended is in favorites.json, last and with its links, and forgotten after a year")
    func ended() async throws {
        func ended() throws -> [String?] {
            let items = try #require(try JSONText(contents(fixture.mirror["favorites.json"])).elements)
            return items.filter { $0["ended"] != nil }.map { $0["removed"]?.elements?.first?["link"]?.string }
        }
        try fixture.remove("z")
        try fixture.lookAndRest()
        try await fixture.forgetEverything()
        try fixture.link("another", to: FavoritesFixture.orionLink)
        try fixture.lookAndRest()
        #expect(try ended() == ["z"])
        clock.step(by: 366 * 86_400)
        try await fixture.mirror.add(Day(utc: clock.seconds))
        try fixture.remove("another")
        try fixture.lookAndRest()
        #expect(try ended() == [])
    }
}
