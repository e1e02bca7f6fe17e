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
