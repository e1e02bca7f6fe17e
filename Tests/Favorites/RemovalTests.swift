import Apod
import Archive
import Catalog
import Files
import Glibc
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
            ("rm z", ["2019-04-10: a/w", "2026-11-20: y, a/b/x"]),
            ("rm y", ["2019-04-10: a/w", "2026-09-13: z", "2026-11-20: a/b/x"]),
            ("rm -r a", ["2026-09-13: z", "2026-11-20: y"]), ("rm -r a y z", []),
            ("rm -r a; : >a", ["2026-09-13: z", "2026-11-20: y"]),
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
        "Links that go are not gone while the folder is not there, nor what went just before",
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
        "Links that go with a lost folder end by no new one: it is made only without favorites",
        arguments: ["y z", "a", "a y z"])
    func newFolder(ended: String) async throws {
        try await fixture.shell("rm -r \(ended)")
        try fixture.lookAndRest()
        try await fixture.shell("cd \"$ROOT\"; rm -r favorites")
        fixture.keeper.makeFolder()
        #expect(exists(fixture.folder) == (ended == "a y z"))
    }

    @Test(
        "Links that go are not gone with an album that cannot be read, nor with one over which something is mounted",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"), arguments: [0, 1, 2])
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

    @Test(
        "Links that go are in the history as they came and went, oldest first, and links say there what they said before"
    )
    func history() async throws {
        try fixture.remove("z")
        try fixture.lookAndRest()
        #expect(try fixture.restore(.since(0)) == ["z"])
        // A line that was cut off is passed over.
        try await fixture.shell(
            "printf '{\"time\":' >>\"$ROOT/.apod-mirror/history\"; ln -s /nas/\(FavoritesFixture.cloudsFile.replacing(" ", with: "\\ ")) v"
        )
        try fixture.lookAndRest()
        try fixture.remove("a/w")
        try fixture.lookAndRest()
        let lines = try FavoritesLog.lines(in: Folder.open(fixture.root)).filter {
            ["z", "v", "a/w"].contains($0.link.place)
        }
        #expect(
            lines.map { "\($0.change) \($0.link.day) \($0.link.place) \($0.was ?? "")" }.sorted() == [
                "came 2019-04-10 a/w 2019-04-10", "came 2026-09-13 v /nas/\(FavoritesFixture.cloudsFile)",
                "came 2026-09-13 z ", "came 2026-09-13 z \(fixture.cloudsPath)", "went 2019-04-10 a/w ",
                "went 2026-09-13 z ",
            ])
    }
}
