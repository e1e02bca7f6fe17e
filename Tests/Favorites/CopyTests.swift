import Apod
import Catalog
import Favorites
import Glibc
import TestSupport
import Testing

@Suite("A copy in the favorites folder")
struct CopyTests {
    @Test("that nobody touched stays a favorite when the picture is corrected", arguments: ["cp", "ln"])
    func correction(program: String) async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("\(program) \"$ORION\" a.jpg; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
        try await wall.shelf.add(Wall.orion, "Orion Rising", bytes: 1234)
        try await wall.restart()
        try wall.lookAndSettle()
        #expect(try wall.days == ["2026-09-13", "2026-11-20"])
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

    @Test("stays a favorite whatever was done to it, as long as it is one", arguments: ["touch", "chmod 600"])
    func touched(program: String) async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("cp \"$ORION\" mine.jpg; ln -s \"$CLOUDS\" b")
        try wall.lookAndSettle()
        try await wall.shell("\(program) mine.jpg")
        try wall.look(at: "mine.jpg")
        #expect(try wall.days == ["2026-09-13", "2026-11-20"] && wall.unrecognised == [])
        try wall.settle()
        #expect(try wall.favorites == ["2026-09-13: b", "2026-11-20: mine.jpg"])
        #expect(try !wall.history.contains("removed 2026-11-20"))
    }

    @Test("that nobody has compared yet is told from what is only as large")
    func undecided() async throws {
        let wall = try await Wall(adopts: false)
        let bytes = try contents("\(wall.root)/\(Wall.orionFile)").count
        try save([UInt8](repeating: 7, count: bytes), to: "\(wall.folder)/a.jpg")
        try wall.look()
        let editor = try FavoritesEditor(root: wall.root, catalog: wall.catalog)
        #expect(try editor.undecidedCopy(of: Wall.orion) == nil && wall.unrecognised == ["a.jpg"])
        try await wall.shell("cp \"$ORION\" b.jpg")
        try wall.look(at: "b.jpg")
        #expect(try editor.undecidedCopy(of: Wall.orion)?.description == "b.jpg")
        #expect(try editor.undecidedCopy(of: Wall.clouds) == nil)
    }

    @Test("is none any more when somebody has written something else into it")
    func overwritten() async throws {
        let wall = try await Wall(adopts: false)
        try await wall.shell("cp \"$ORION\" mine.jpg")
        try wall.lookAndSettle(at: "mine.jpg")
        #expect(try wall.days == ["2026-11-20"])
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
        #expect(try wall.days == ["2026-11-20"])
        try await wall.shell("chmod 0600 a.jpg")
        #expect(try !wall.reconciler.settle())
        #expect(Facts("\(wall.folder)/a.jpg")?.kind == S_IFREG)
        #expect(try wall.reconciler.settle())
        #expect(wall.target("a.jpg") == "../\(Wall.orionFile)")
    }

    @Test("and a link are put in order on another mount, too", .enabled(if: Disk.canBeMade))
    func otherMount() async throws {
        let wall = try await Wall()
        let other = wall.shelf.folder.appending("other")
        mkdir(other, 0o755)
        let mount = try BindMount(of: other, over: wall.folder)
        try await wall.shell("ln -s \"$ORION\" x; cp \"$CLOUDS\" c.jpg")
        try wall.lookAndSettle()
        #expect(wall.target("x") == "../\(Wall.orionFile)")
        #expect(wall.target("c.jpg") == "../\(Wall.cloudsFile)")
        withExtendedLifetime(mount) {}
    }

    @Test(
        "is none where the mirror's own folders are mounted among the favorites", .enabled(if: Disk.canBeMade),
        arguments: ["2026/11", "2026", "", "favorites"], ["/album", ""])
    func ownTree(part: String, place: String) async throws {
        let wall = try await Wall()
        try wall.album("album")
        try await wall.shell("ln -s \"$CLOUDS\" clouds; ln -sf '\(Wall.orionFile)' $ROOT/latest")
        try wall.lookAndSettle()
        let facts = "cd $ROOT; find 2026 latest favorites/clouds -printf '%P %y %l %m %s %T@ %i\\n' | LC_ALL=C sort"
        try await wall.shell("(\(facts)) >$OUT/before")
        do {
            let mount = try BindMount(of: "\(wall.root)/\(part)", over: wall.folder + place)
            for _ in 1...3 { try wall.lookAndSettle() }
            withExtendedLifetime(mount) {}
        }
        try await wall.shell("(\(facts)) >$OUT/after; diff $OUT/before $OUT/after")
    }
}
