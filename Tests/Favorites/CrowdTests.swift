import Catalog
import Favorites
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Watching

/// More in the favorites folder that is not the mirror's than anybody wants to hear of.
@Suite("Very many things that are not recognised")
struct CrowdTests {
    private func numbers(_ wall: Wall) throws -> (all: Int, listed: Int) {
        (try wall.catalog.favoritesSummary().unrecognised, try wall.catalog.unrecognised(atMost: .max).count)
    }

    @Test("are counted in full and listed up to a thousand, however they come and go")
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
        try await wall.shell("rm -r a; rm 11*")
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (400, 400))
        try await wall.shell("rm -r 1* .hidden")
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1, 1))
    }

    @Test("are listed when others that were have gone one by one")
    func relisted() async throws {
        let wall = try await Wall()
        try await wall.shell("for i in {1..1200}; do : >$i; done")
        try wall.lookAndSettle()
        let listed = try wall.catalog.unrecognised(atMost: .max).map(\.place)
        for place in listed { try wall.remove("\(place)") }
        try wall.reconciler.note(.places(Set(listed)))
        try wall.settle()
        #expect(try numbers(wall) == (200, 200))
    }

    @Test("are counted anew when most of them have gone while nobody looked")
    func goneMeanwhile() async throws {
        let wall = try await Wall()
        try await wall.shell("for i in {1001..2200}; do : >$i; done")
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1200, 1000))
        try await wall.stop()
        try await wall.shell("rm 1* 20* 21*")
        try wall.open()
        try wall.lookAndSettle()
        #expect(try numbers(wall) == (1, 1))
    }
}
