import Apod
import Catalog
import Favorites
import Glibc
import TestSupport
import Testing

@Suite("A copy in the favorites folder")
struct CopyTests {
    @Test("that cannot be replaced stays a favorite when the picture is corrected", .enabled(if: geteuid() == 0))
    func correction() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir a; cp \"$ORION\" a/a.jpg; chown -R nobody \"$ROOT\"; chown root a; chmod 755 a")
        try Person.asAnother { try wall.lookAndSettle() }
        #expect(try wall.favorites == ["2026-11-20: a/a.jpg"])
        try await wall.shelf.add(Wall.orion, "Orion Rising", bytes: 1234)
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: a/a.jpg"])
    }

    @Test(
        "mends the picture, if that is damaged",
        arguments: ["truncate -s 10", "truncate -s 2000", "printf x 1<>", "rm"])
    func damaged(program: String) async throws {
        let wall = try await Wall()
        let good = try contents("\(wall.root)/\(Wall.orionFile)")
        try await wall.shell("cp \"$ORION\" a.jpg; \(program) \"$ORION\"")
        try wall.lookAndSettle()
        #expect(wall.target("a.jpg") == "../\(Wall.orionFile)")
        #expect(try contents("\(wall.root)/\(Wall.orionFile)") == good)
        #expect(Facts("\(wall.root)/\(Wall.orionFile)")?.modified == Wall.orion.noon)
    }

    @Test("may be one of the JSON, and becomes a link to that")
    func json() async throws {
        let wall = try await Wall()
        let json = "2026/11/2026-11-20 Orion Rising.json"
        try await wall.shell("cp \"$ROOT/\(json)\" facts.json")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: facts.json"] && wall.target("facts.json") == "../\(json)")
    }

    @Test("is none any more when somebody has written something else into it")
    func overwritten() async throws {
        let wall = try await Wall()
        try await wall.shell("cp \"$ORION\" mine.jpg")
        try wall.lookAndSettle(at: "mine.jpg")
        #expect(try wall.days == ["2026-11-20"])
        try wall.remove("mine.jpg")
        let bytes = try contents("\(wall.root)/\(Wall.orionFile)").count
        try save([UInt8](repeating: 7, count: bytes), to: "\(wall.folder)/mine.jpg")
        try wall.lookAndSettle(at: "mine.jpg")
        try wall.settle()
        #expect(try wall.days == [] && wall.unrecognised == ["mine.jpg"])
    }

    @Test("of two days with the same picture goes back to the one that misses it", arguments: [".", "mine.jpg"])
    func twins(name: String) async throws {
        let wall = try await Wall()
        try await wall.shelf.add(Wall.orion.advanced(by: -256), "Orion Once Before")
        try await wall.shell("mv \"$ORION\" \(name)")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-11-20"])
        #expect(access("\(wall.root)/\(Wall.orionFile)", F_OK) == 0)
    }

    @Test("of several days with the same picture stands for the one whose day its name begins with")
    func named() async throws {
        let wall = try await Wall()
        let days = (0..<3).map { Wall.orion.advanced(by: -256 * $0) }
        for day in days[1...] { try await wall.shelf.add(day, "Orion Rising") }
        for day in days { try await wall.shell("cp \"$ORION\" '\(day) mine.jpg'") }
        try wall.lookAndSettle()
        #expect(try wall.favorites == days.reversed().map { "\($0): \($0) mine.jpg" })
        for day in days {
            #expect(wall.target("\(day) mine.jpg")?.hasSuffix("/\(day) Orion Rising.jpg") == true)
        }
        // Another name tells nothing: any of them will do.
        try await wall.shell("cp \"$ORION\" '2019-04-10 mine.jpg'")
        try wall.lookAndSettle()
        #expect(wall.target("2019-04-10 mine.jpg")?.hasSuffix(" Orion Rising.jpg") == true)
        #expect(try wall.days == days.reversed().map(\.description))
    }

    @Test("is left to rest before it becomes a link")
    func rests() async throws {
        let wall = try await Wall()
        try await wall.shell("cp \"$ORION\" a.jpg")
        try wall.look()
        #expect(try !wall.reconciler.settle())
        #expect(Facts("\(wall.folder)/a.jpg")?.kind == S_IFREG)
        #expect(try wall.days == [])
        try await wall.shell("chmod 0600 a.jpg")
        #expect(try !wall.reconciler.settle())
        #expect(Facts("\(wall.folder)/a.jpg")?.kind == S_IFREG)
        try wall.settle()
        #expect(wall.target("a.jpg") == "../\(Wall.orionFile)")
    }
}
