import Catalog
import Favorites
import TestSupport
import Testing

/// More in the favorites folder that is not the mirror's than anybody wants to hear of.
struct CrowdTests {
    private func numbers(_ fixture: FavoritesFixture) throws -> (all: Int, listed: Int) {
        (try fixture.catalog.leftAlone().count, try fixture.catalog.leftAlone().first.count)
    }

    @Test(
        "Very many things that are not recognised are all counted, and the first of them listed, however they come and go, also while nobody looks"
    )
    func count() async throws {
        let fixture = try await FavoritesFixture()
        try await fixture.shell("mkdir a; : >a/.hidden; for i in {1..1000}; do : >a/$i; done")
        try fixture.lookAndSettle()
        #expect(try numbers(fixture) == (1000, 1000))
        try await fixture.shell("for i in {1001..1500}; do : >$i; done; mkdir .hidden; ln -s \"$ORION\" link")
        try fixture.lookAndSettle()
        #expect(try numbers(fixture) == (1501, 1000))
        #expect(try fixture.days == ["2026-11-20"])
        try await fixture.shell(": >one; rm 1500 1499 a/1")
        try fixture.lookAndSettle(at: "one", "1500", "1499", "a/1")
        #expect(try numbers(fixture) == (1499, 1000))
        try await fixture.stop()
        try await fixture.shell("rm -r a 1* .hidden")
        try fixture.open()
        try fixture.lookAndSettle()
        #expect(try numbers(fixture) == (1, 1))
    }
}
