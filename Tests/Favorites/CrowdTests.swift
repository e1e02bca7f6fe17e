import Catalog
import Favorites
import TestSupport
import Testing

/// More in the favorites folder that is not the mirror's than anybody wants to hear of.
@Suite("Very many things that are not recognised")
struct CrowdTests {
    private func numbers(_ wall: Wall) throws -> (all: Int, listed: Int) {
        (try wall.catalog.leftAlone().count, try wall.catalog.leftAlone().first.count)
    }

    @Test("are all counted, and the first of them listed, however they come and go, also while nobody looks")
    func count() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir a; : >a/.hidden; for i in {1..1000}; do : >a/$i; done")
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1000, 1000))
        try await wall.shell("for i in {1001..1500}; do : >$i; done; mkdir .hidden; ln -s \"$ORION\" link")
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1501, 1000))
        #expect(try wall.days == ["2026-11-20"])
        try await wall.shell(": >one; rm 1500 1499 a/1")
        try wall.lookAndSettle(at: "one", "1500", "1499", "a/1")
        #expect(try numbers(wall) == (1499, 1000))
        try await wall.stop()
        try await wall.shell("rm -r a 1* .hidden")
        try wall.open()
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1, 1))
    }
}
