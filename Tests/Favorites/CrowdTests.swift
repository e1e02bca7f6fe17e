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

    @Test("are compared again where they changed in the second in which they had been")
    func sameSecond() async throws {
        let wall = try await Wall()
        try await wall.shell("head -c 1000 /dev/zero >1; for i in {2..1100}; do cp 1 $i; done")
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(try numbers(wall) == (1100, 1000))
        let listed = try Set(wall.catalog.unrecognised(atMost: .max).map { "\($0.place)" })
        let other = try #require((1...1100).first { !listed.contains("\($0)") })
        try await wall.shell("cp \"$ORION\" \(other)")
        let facts = try #require(try Folder.open(wall.folder).facts(of: "\(other)"))
        try wall.catalog.setFact(.compared, facts.changed)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: \(other)"])
    }

    @Test("do not hide that what was a copy is none any more")
    func overwritten() async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("cp \"$ORION\" mine.jpg; for i in {1..1200}; do : >$i; done")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"] && numbers(wall) == (1200, 1000))
        let bytes = try contents("\(wall.root)/\(Wall.orionFile)").count
        try save([UInt8](repeating: 7, count: bytes), to: "\(wall.folder)/mine.jpg")
        for _ in 0..<2 { try wall.lookAndSettle(at: "mine.jpg") }
        #expect(try wall.days == [])
    }

    @Test("as large as a picture are compared once, and a copy among them is found")
    func compared() async throws {
        let wall = try await Wall()
        let count = Atomic(0)
        try wall.open { moment in if case .comparing = moment { count.add(1, ordering: .relaxed) } }
        try await wall.shell(
            """
            head -c 1000 /dev/zero >1; for i in {2..1300}; do cp 1 $i; done; cp "$ORION" copy.jpg
            touch -d '1 hour ago' *
            """)
        // What changed in the second in which it is compared may change again.
        poll(nil, 0, 1100)
        for _ in 0..<3 { try wall.lookAndSettle() }
        #expect(try wall.days == ["2026-11-20"])
        #expect(wall.target("copy.jpg") == "../\(Wall.orionFile)")
        #expect(try numbers(wall) == (1300, 1000))
        let before = count.load(ordering: .relaxed)
        #expect(before >= 1301)
        for _ in 0..<2 { try wall.lookAndSettle() }
        #expect(count.load(ordering: .relaxed) == before)
        try await wall.shell("cp \"$CLOUDS\" another.jpg")
        try wall.look(at: "another.jpg")
        for _ in 0..<3 { try wall.settle() }
        #expect(wall.target("another.jpg") == "../\(Wall.cloudsFile)")
    }
}
