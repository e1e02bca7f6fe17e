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

    private func replace(_ name: String, bytes: Int) throws {
        try wall.remove(name)
        try save([UInt8](repeating: 7, count: bytes), to: wall[name])
    }

    @Test("is no favorite any more, also if it was a copy before", arguments: sizes, ["ln -s", "cp", "ln"])
    func ended(bytes: Int, make: String) async throws {
        try await wall.shell("\(make) \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        // As when the service starts again, and once more with the file there.
        for isReplaced in [false, true] {
            try await wall.stop()
            if isReplaced { try replace("a", bytes: bytes) }
            try wall.open()
            try wall.lookAndSettle()
        }
        #expect(try wall.favorites == ["2026-09-13: b"] && wall.unrecognised == ["a"])
        #expect(try wall.history.last == "went 2026-11-20")
        #expect(try contents(wall["a"]) == [UInt8](repeating: 7, count: bytes))
    }

    @Test("is none either when somebody looks, and a copy becomes a link as any other", arguments: [true, false])
    func seen(isHinted: Bool) async throws {
        try await wall.shell("for name in a b c; do ln -s \"$ORION\" $name; done; ln -s \"$CLOUDS\" d")
        try wall.lookAndSettle()
        for (name, bytes) in zip(["a", "b"], Self.sizes) { try replace(name, bytes: bytes) }
        try await wall.shell("rm c; cp \"$CLOUDS\" c")
        if isHinted { try wall.lookAndSettle(at: "a", "b", "c") } else { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["2026-09-13: c, d"] && wall.unrecognised == ["a", "b"])
        #expect(wall.target("c") == Wall.cloudsLink)
    }
}
