import Apod
import Catalog
import Favorites
import Glibc
import TestSupport
import Testing

struct ReplacedLinkTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    /// Neither is as large as anything of the mirror's, or one is.
    private static let sizes = [17, 2000]

    private func replace(_ name: String, bytes: Int) throws {
        try fixture.remove(name)
        try save([UInt8](repeating: 7, count: bytes), to: fixture[name])
    }

    @Test(
        "A link that somebody has replaced by a file of their own while nobody looked is no favorite any more, also if it was a copy before",
        arguments: sizes, ["ln -s", "cp", "ln"])
    func ended(bytes: Int, make: String) async throws {
        try await fixture.shell("\(make) \"$ORION\" a; ln -s \"$CLOUDS\" b")
        try fixture.lookAndSettle()
        // As when the service starts again, and once more with the file there.
        for isReplaced in [false, true] {
            try await fixture.stop()
            if isReplaced { try replace("a", bytes: bytes) }
            try fixture.open()
            try fixture.lookAndSettle()
        }
        #expect(try fixture.favorites == ["2026-09-13: b"] && fixture.unrecognised == ["a"])
        #expect(try fixture.history.last == "went 2026-11-20")
        #expect(try contents(fixture["a"]) == [UInt8](repeating: 7, count: bytes))
    }

    @Test(
        "A link that somebody has replaced by a file of their own while nobody looked is none either when somebody looks, and a copy becomes a link as any other",
        arguments: [true, false])
    func seen(isHinted: Bool) async throws {
        try await fixture.shell("for name in a b c; do ln -s \"$ORION\" $name; done; ln -s \"$CLOUDS\" d")
        try fixture.lookAndSettle()
        for (name, bytes) in zip(["a", "b"], Self.sizes) { try replace(name, bytes: bytes) }
        try await fixture.shell("rm c; cp \"$CLOUDS\" c")
        if isHinted { try fixture.lookAndSettle(at: "a", "b", "c") } else { try fixture.lookAndSettle() }
        #expect(try fixture.favorites == ["2026-09-13: c, d"] && fixture.unrecognised == ["a", "b"])
        #expect(fixture.target("c") == FavoritesFixture.cloudsLink)
    }
}
