import Glibc
import TestSupport
import Testing
import Watching

@testable import Favorites

@Suite("A picture that a program put into the favorites folder")
struct ArrivalTests {
    private let orion = "../\(Wall.orionFile)"

    /// Bytes, time and permissions of the picture in the tree.
    private func original(_ wall: Wall) throws -> (bytes: [UInt8], modified: Int, permissions: UInt32) {
        let path = "\(wall.root)/\(Wall.orionFile)"
        let facts = try #require(Facts(path))
        #expect(facts.nanoseconds == 0)
        return (try contents(path), facts.modified, facts.permissions)
    }

    /// As the watcher does, which hears of the link that was made of it too.
    private func settle(_ wall: Wall) throws {
        for _ in 1...2 { try wall.lookAndSettle() }
    }

    @Test(
        "as a copy becomes a link",
        arguments: [
            "cp \"$ORION\" a.jpg", "cp --preserve \"$ORION\" a.jpg", "cp \"$ORION\" a.jpg; chmod 0744 a.jpg",
            "cp --reflink=auto --sparse=always \"$ORION\" a.jpg", "install -m 0444 \"$ORION\" a.jpg",
            "cp \"$ORION\" a.jpg.part; mv a.jpg.part a.jpg", "cat \"$ORION\" >.a.jpg.x1; mv .a.jpg.x1 a.jpg",
            "truncate -s 1000 a.jpg; dd if=\"$ORION\" of=a.jpg conv=notrunc status=none", "ln \"$ORION\" a.jpg",
        ])
    func copy(script: String) async throws {
        let wall = try await Wall()
        let before = try original(wall)
        try await wall.shell(script)
        try settle(wall)
        #expect(try wall.favorites == ["2026-11-20: a.jpg"])
        #expect(wall.target("a.jpg") == orion)
        #expect(try original(wall) == before)
        #expect(try wall.unrecognised == [])
        #expect(listing("\(wall.root)/.apod-mirror/unfinished") == [])
    }

    @Test("piece by piece becomes a link only when it is whole", arguments: [false, true])
    func slow(isAllocated: Bool) async throws {
        let wall = try await Wall()
        let bytes = try contents("\(wall.root)/\(Wall.orionFile)")
        if isAllocated { try await wall.shell("truncate -s 1000 a.jpg") }
        for piece in 0..<4 {
            try wall.lookAndSettle(at: "a.jpg")
            #expect(try wall.favorites == [])
            if piece > 0 {
                let sofar = try contents("\(wall.folder)/a.jpg")
                let settleDelay = isAllocated ? [UInt8](repeating: 0, count: 1000 - 250 * piece) : []
                #expect(sofar == bytes.prefix(250 * piece) + settleDelay)
            }
            try await wall.shell(
                "dd if=\"$ORION\" of=a.jpg bs=250 count=1 skip=\(piece) seek=\(piece) conv=notrunc status=none")
        }
        try settle(wall)
        #expect(try wall.favorites == ["2026-11-20: a.jpg"])
        #expect(wall.target("a.jpg") == orion)
    }

    @Test("is not touched before it has rested")
    func fresh() async throws {
        let wall = try await Wall()
        let reconciler = Reconciler(try wall.shelf.archive(), settleDelay: .zero, clock: { time(nil) })
        try await wall.shell("cp \"$ORION\" a.jpg")
        try reconciler.note(.everywhere)
        #expect(try reconciler.settle() == false)
        #expect(Facts("\(wall.folder)/a.jpg")?.kind == S_IFREG)
        #expect(try wall.favorites == [])
        for _ in 0..<2 where try !reconciler.settle() {}
        #expect(wall.target("a.jpg") == orion)
    }

    @Test(
        "out of the tree goes back to its place and leaves a link",
        arguments: ["a.jpg", "2026-11-20 Orion Rising.jpg"])
    func moved(name: String) async throws {
        let wall = try await Wall()
        let before = try original(wall)
        let tree = wall.shelf.tree.filter { !$0.hasPrefix("favorites") }
        try await wall.shell("mv \"$ORION\" '\(name)'")
        #expect(access("\(wall.root)/\(Wall.orionFile)", F_OK) != 0)
        try settle(wall)
        #expect(try original(wall) == before)
        #expect(wall.target(name) == orion)
        #expect(try wall.favorites == ["2026-11-20: \(name)"])
        #expect(wall.shelf.tree.filter { !$0.hasPrefix("favorites") } == tree)
    }

    @Test("with the whole month goes back, and the month is an album")
    func movedMonth() async throws {
        let wall = try await Wall()
        let before = try original(wall)
        try await wall.shell("mv $ROOT/2026/11 .")
        try settle(wall)
        #expect(try original(wall) == before)
        let (picture, json) = ("11/2026-11-20 Orion Rising.jpg", "11/2026-11-20 Orion Rising.json")
        #expect(try wall.favorites == ["2026-11-20: \(picture), \(json)"])
        #expect(wall.target(picture) == "../\(orion)")
        #expect(wall.target(json) == "../../2026/\(json)")
        #expect(access("\(wall.root)/2026/\(json)", R_OK) == 0)
    }

    @Test("out of the tree goes back as the mirror's own, whosever it is now", .enabled(if: geteuid() == 0))
    func movedByAnother() async throws {
        let wall = try await Wall()
        let before = try original(wall)
        try await wall.shell("mv \"$ORION\" a.jpg; chown nobody a.jpg")
        let theirs = Facts("\(wall.folder)/a.jpg")?.inode
        try settle(wall)
        #expect(try original(wall) == before)
        // Whose a file is can change it later.
        #expect(Facts("\(wall.root)/\(Wall.orionFile)")?.inode != theirs)
        #expect(wall.target("a.jpg") == orion)
    }

    @Test("out of the tree goes back as a file of its own, where somebody keeps it by another name")
    func otherName() async throws {
        let wall = try await Wall()
        let before = try original(wall)
        try await wall.shell("ln \"$ORION\" $OUT/mine.jpg; mv \"$ORION\" a.jpg")
        try settle(wall)
        #expect(wall.target("a.jpg") == orion)
        try await wall.shell("printf X | dd of=$OUT/mine.jpg conv=notrunc status=none")
        #expect(try original(wall) == before)
    }
}
