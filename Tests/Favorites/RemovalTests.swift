import Apod
import Archive
import Catalog
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

@Suite("Links that go")
struct RemovalTests {
    private let wall: Wall
    private let clock = TestClock()

    /// Four links, two of them to one day, and one in an album in an album.
    init() async throws {
        wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        try await wall.shell(
            "mkdir -p a/b; ln -s \"$ORION\" a/b/x; ln -s \"$ORION\" y; ln -s \"$CLOUDS\" z; ln -s 2019-04-10 a/w")
        try wall.lookAndRest()
    }

    private static let all = ["2019-04-10: a/w", "2026-09-13: z", "2026-11-20: y, a/b/x"]

    @Test(
        "end their favorites after two seconds, one or all, seen at once or by the next start",
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
        try await wall.shell(what.script)
        if restarts { try await wall.restart() }
        try wall.look()
        #expect(try wall.favorites == Self.all)
        clock.advance(by: .seconds(1))
        _ = try wall.reconciler.settle()
        #expect(try wall.favorites == Self.all)
        try wall.rest()
        #expect(try wall.favorites == what.left)
        let moment = clock.seconds - 3
        #expect(try wall.log.known.removedLinks().allSatisfy { $0.went == moment })
        // They come back, with their dates.
        let added = try wall.log.ended.map(\.added)
        #expect(added.allSatisfy { $0 < moment })
    }

    @Test(
        "are not gone while the folder is not there, nor what went just before",
        arguments: ["seen", "seen by the next start", "not seen before two seconds have passed"],
        [
            "mv favorites aside", "rm -r favorites", "rm -r favorites; : >favorites",
            "mv favorites aside; ln -s aside favorites",
        ])
    func lost(when: String, script: String) async throws {
        try wall.remove("z")
        try wall.look(at: "z")
        try await wall.shell("cd \"$ROOT\"; \(script)")
        if when == "seen by the next start" { try await wall.restart() }
        if when == "not seen before two seconds have passed" { try wall.rest() }
        for _ in 0..<3 {
            try wall.lookAndRest()
            #expect(try wall.favorites == Self.all)
        }
        #expect(try wall.history.allSatisfy { !$0.hasPrefix("went") })
    }

    @Test("with a lost folder end by no new one: it is made only without favorites", arguments: ["y z", "a", "a y z"])
    func newFolder(ended: String) async throws {
        try await wall.shell("rm -r \(ended)")
        try wall.lookAndRest()
        try await wall.shell("cd \"$ROOT\"; rm -r favorites")
        wall.reconciler.makeFolder()
        #expect(exists(wall.folder) == (ended == "a y z"))
    }

    @Test(
        "are not gone with an album that cannot be read, nor with one over which something is mounted",
        arguments: [0, 1, 2])
    func unread(how: Int) async throws {
        guard how == 0 || Disk.canBeMade else { return }
        var held: Any?
        switch how {
        case 0: try await wall.shell("chown -R nobody \"$ROOT\"; chown root a; chmod 700 a")
        case 1: held = try BindMount(of: wall.shelf.folder.path, over: wall["a"])
        default: held = try BindMount(of: wall.shelf.folder.path, over: wall.folder)
        }
        func work() throws {
            for _ in 0..<2 {
                try wall.look()
                try wall.lookAndRest(at: "a/w", "a/b/x")
            }
            #expect(try wall.favorites == Self.all)
        }
        if how == 0 { try Person.asAnother(work) } else { try work() }
        if how == 1 { #expect(try wall.catalog.leftAlone().first.map(\.place.description) == ["a"]) }
        withExtendedLifetime(held) {}
    }

    @Test("do not wait behind a copy that is compared", .timeLimit(.minutes(10)))
    func beside() async throws {
        let reconciler = Mutex<Reconciler?>(nil)
        let (clock, compared) = (clock, Awaited(false))
        try wall.open { moment in
            guard case .compared = moment, let reconciler = reconciler.withLock(\.self) else { return }
            try? reconciler.note(.places(["z"]))
            clock.advance(by: .seconds(2))
            _ = try? reconciler.end()
            compared.update { $0 = true }
        }
        reconciler.withLock { $0 = wall.reconciler }
        try wall.look()
        try await wall.shell("cp \"$ORION\" copy.jpg; rm z")
        try wall.look(at: "copy.jpg")
        for _ in 0..<2 { _ = try wall.reconciler.tidy() }
        #expect(compared.value)
        #expect(try wall.days == ["2019-04-10", "2026-11-20"])
        reconciler.withLock { $0 = nil }
    }

    @Test("are in the history as they came and went, oldest first, and links say there what they said before")
    func history() async throws {
        try wall.remove("z")
        try wall.lookAndRest()
        #expect(try wall.restore(.since(0)) == ["z"])
        // A line that was cut off is passed over.
        try await wall.shell(
            "printf '{\"time\":' >>\"$ROOT/.apod-mirror/history\"; ln -s /nas/\(Wall.cloudsFile.replacing(" ", with: "\\ ")) v"
        )
        try wall.lookAndRest()
        try wall.remove("a/w")
        try wall.lookAndRest()
        let lines = try FavoritesLog.lines(in: Folder.open(wall.root)).filter {
            ["z", "v", "a/w"].contains($0.link.place)
        }
        #expect(
            lines.map { "\($0.change) \($0.link.day) \($0.link.place) \($0.was ?? "")" }.sorted() == [
                "came 2019-04-10 a/w 2019-04-10", "came 2026-09-13 v /nas/\(Wall.cloudsFile)",
                "came 2026-09-13 z ", "came 2026-09-13 z \(wall.cloudsPath)", "went 2019-04-10 a/w ",
                "went 2026-09-13 z ",
            ])
    }

    @Test("say in the history what they said before they are rewritten, also where that was changed just before")
    func said() async throws {
        let (root, other) = (wall.root, "/nas/\(Wall.orionFile)")
        try wall.open { point in
            guard case .replacing(let place) = point, place == "x" else { return }
            let lines = try? FavoritesLog.lines(in: Folder.open(root))
            #expect(lines?.last { $0.link.place == "x" }?.was == other)
        }
        try wall.link("x", to: wall.orionPath)
        try wall.look(at: "x")
        // Nobody has looked at what it says now.
        try wall.remove("x")
        try wall.link("x", to: other)
        try wall.settle()
        let told = try FavoritesLog.lines(in: Folder.open(root)).filter { $0.link.place == "x" }
        #expect(told.map(\.was) == [wall.orionPath, other] && wall.target("x") == Wall.orionLink)
    }
}
