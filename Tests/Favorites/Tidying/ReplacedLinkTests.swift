import Apod
import Catalog
import Favorites
import Glibc
import TestSupport
import Testing

@Suite("A link that somebody has replaced by a file of their own while nobody looked")
struct ReplacedLinkTests {
    private let wall: Wall

    init() async throws { wall = try await Wall() }

    /// Neither is as large as anything of the mirror's, or one is.
    private static let sizes = [17, 2000]

    /// While no service runs.
    private func change(_ wall: Wall, _ work: () async throws -> Void) async throws {
        // A catalog that is made anew, as this one then, does not know what is a link until somebody has looked.
        try await wall.restart()
        try wall.lookAndSettle()
        try await wall.stop()
        try await work()
        try wall.open()
    }

    private func replace(_ name: String, in wall: Wall, bytes: Int = 17) throws {
        try wall.remove(name)
        try save([UInt8](repeating: 7, count: bytes), to: wall[name])
    }

    @Test("is no favorite any more, also if it was a copy before", arguments: sizes, ["ln -s", "cp", "ln"])
    func ended(bytes: Int, make: String) async throws {
        try await wall.shell("\(make) \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        try await change(wall) { try replace("a", in: wall, bytes: bytes) }
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: b"] && wall.unrecognised == ["a"])
        #expect(try wall.history.last == "removed 2026-11-20")
        #expect(try contents(wall["a"]) == [UInt8](repeating: 7, count: bytes))
    }

    @Test("is none either when somebody looks, and a copy becomes a link as any other", arguments: [true, false])
    func seen(isHinted: Bool) async throws {
        try await wall.shell("for name in a b c; do ln -s \"$ORION\" $name; done; ln -s \"$CLOUDS\" d")
        try wall.lookAndSettle()
        for (name, bytes) in zip(["a", "b"], Self.sizes) { try replace(name, in: wall, bytes: bytes) }
        try await wall.shell("rm c; cp \"$CLOUDS\" c")
        if isHinted { try wall.lookAndSettle(at: "a", "b", "c") } else { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["2026-09-13: c, d"] && wall.unrecognised == ["a", "b"])
        #expect(wall.target("c") == Wall.cloudsLink)
    }

    @Test("is a favorite still if the file is a copy")
    func replacedByCopy() async throws {
        try await wall.shell("ln -s \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        try await change(wall) { try await wall.shell("rm a b; cp \"$ORION\" a; cp \"$ORION\" b") }
        try wall.lookAndSettle(to: ["2026-11-20: a, b"])
    }

    @Test("is removed with its album and its name, and not before it has stayed away for a while")
    func pending() async throws {
        let clock = TestClock()
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        func settle(after pause: Duration) throws {
            clock.advance(by: pause)
            _ = try wall.reconciler.settle()
        }
        try wall.album("trip")
        try await wall.shell("ln -s \"$ORION\" trip/a; ln -s \"$CLOUDS\" trip/b")
        try wall.look()
        try settle(after: .seconds(2))
        // As in `change`.
        try await wall.restart()
        try wall.look()
        try settle(after: .seconds(2))
        try await wall.stop()
        try replace("trip/a", in: wall)
        try wall.open()
        try wall.look()
        try settle(after: .zero)
        #expect(try wall.catalog.favoriteDays() == [Wall.orion, Wall.clouds])
        try settle(after: .seconds(2))
        #expect(try wall.favorites == ["2026-09-13: trip/b"])
        #expect(try wall.restore(.days([Wall.orion])) == ["trip/2 a"])
    }

    @Test("ends when the folder that went before is back")
    func folderGone() async throws {
        let clock = TestClock()
        let wall = try await Wall(settleDelay: .seconds(2), clock: clock)
        try await wall.shell("ln -s \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try wall.look()
        clock.advance(by: .seconds(2))
        try wall.settle()
        try replace("a", in: wall)
        try wall.look(at: "a")
        #expect(rename(wall.folder, wall.folder + ".away") == 0)
        clock.advance(by: .seconds(2))
        _ = try wall.reconciler.settle()
        #expect(rename(wall.folder + ".away", wall.folder) == 0)
        try wall.look()
        clock.advance(by: .seconds(2))
        try wall.settle()
        #expect(try wall.favorites == ["2026-09-13: b"])
        #expect(try wall.restore(.since(0)) == ["2 a"])
    }

    @Test("stays a favorite if the link is back before it has ended")
    func back() async throws {
        try await wall.shell("ln -s \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        try await change(wall) { try replace("a", in: wall, bytes: 0) }
        try wall.look()
        // As programs do that unpack: first a file of that name, then the link.
        try wall.remove("a")
        try wall.link("a", to: Wall.orionLink)
        try wall.settle()
        #expect(try wall.favorites == ["2026-09-13: b", "2026-11-20: a"])
        #expect(try !wall.history.contains("removed 2026-11-20"))
    }
}
