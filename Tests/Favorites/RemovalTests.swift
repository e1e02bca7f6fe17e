import Apod
import Archive
import Catalog
import Files
import Glibc
import Synchronization
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
        _ = try fixture.reconciler.settle()
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
        fixture.reconciler.makeFolder()
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

    @Test("Links that go do not wait behind a copy that is compared", .timeLimit(.minutes(10)))
    func beside() async throws {
        let reconciler = Mutex<Reconciler?>(nil)
        let (clock, compared) = (clock, Awaited(false))
        try fixture.open { moment in
            guard case .compared = moment, let reconciler = reconciler.withLock(\.self) else { return }
            try? reconciler.note(.places(["z"]))
            clock.advance(by: .seconds(2))
            _ = try? reconciler.end()
            compared.update { $0 = true }
        }
        reconciler.withLock { $0 = fixture.reconciler }
        try fixture.look()
        try await fixture.shell("cp \"$ORION\" copy.jpg; rm z")
        try fixture.look(at: "copy.jpg")
        for _ in 0..<2 { _ = try fixture.reconciler.tidy() }
        #expect(compared.value)
        #expect(try fixture.days == ["2019-04-10", "2026-11-20"])
        reconciler.withLock { $0 = nil }
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

    @Test(
        "Links that go say in the history what they said before they are rewritten, also where that was changed just before"
    )
    func said() async throws {
        let (root, other) = (fixture.root, "/nas/\(FavoritesFixture.orionFile)")
        try fixture.open { point in
            guard case .replacing(let place) = point, place == "x" else { return }
            let lines = try? FavoritesLog.lines(in: Folder.open(root))
            #expect(lines?.last { $0.link.place == "x" }?.was == other)
        }
        try fixture.link("x", to: fixture.orionPath)
        try fixture.look(at: "x")
        // Nobody has looked at what it says now.
        try fixture.remove("x")
        try fixture.link("x", to: other)
        try fixture.settle()
        let told = try FavoritesLog.lines(in: Folder.open(root)).filter { $0.link.place == "x" }
        #expect(told.map(\.was) == [fixture.orionPath, other] && fixture.target("x") == FavoritesFixture.orionLink)
    }
}
