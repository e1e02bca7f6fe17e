import Glibc
import TestSupport
import Testing

/// What programs leave behind, after all that they did on the way there.
@Suite("Links that a program made")
struct ProgramTests {
    private let orion = "../\(Wall.orionFile)"
    private let clouds = "../\(Wall.cloudsFile)"

    @Test("in the place of others are what counts then")
    func replaced() async throws {
        let wall = try await Wall()
        try await wall.shell("ln -s \"$ORION\" a")
        try wall.lookAndSettle(at: "a")
        try await wall.shell("ln -sf \"$CLOUDS\" a")
        try wall.lookAndSettle(at: "a")
        #expect(try wall.favorites == ["2026-09-13: a"])
        #expect(wall.target("a") == clouds)
        #expect(try wall.changes == ["added 2026-11-20", "added 2026-09-13", "removed 2026-11-20"])
    }

    @Test("stay favorites under another name and in another album")
    func renamed() async throws {
        let wall = try await Wall()
        try await wall.shell("mkdir one two; ln -s \"$ORION\" a")
        try wall.lookAndSettle()
        for (script, place, target) in [
            ("mv a b", "b", orion), ("mv b one/c", "one/c", "../\(orion)"), ("mv one/c two/c", "two/c", "../\(orion)"),
            ("mv two three", "three/c", "../\(orion)"), ("mv three one", "one/three/c", "../../\(orion)"),
            ("mv one/three/c d", "d", orion),
        ] {
            try await wall.shell(script)
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-11-20: \(place)"])
            #expect(wall.target(place) == target)
        }
        #expect(try wall.changes == ["added 2026-11-20"])
    }

    @Test("are kept true to a folder by rsync", .enabled(if: Wall.has("rsync")))
    func rsync() async throws {
        let wall = try await Wall()
        try await wall.collect()
        for _ in 1...2 {
            try await wall.shell("rsync -a $OUT/links/ mine")
            try wall.lookAndSettle()
            #expect(try wall.favorites == ["2026-09-13: mine/inner/clouds.jpg", "2026-11-20: mine/orion.jpg"])
            #expect(wall.target("mine/inner/clouds.jpg") == "../../\(clouds)")
            #expect(wall.target("mine/orion.jpg") == "../\(orion)")
        }
        try await wall.shell("rm $OUT/links/orion.jpg; rsync -a --delete $OUT/links/ mine")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: mine/inner/clouds.jpg"])
        #expect(try wall.unrecognised == [])
        #expect(try wall.changes.count == 3 && wall.changes.last == "removed 2026-11-20")
    }

    @Test(
        "are those of an archive or of a folder",
        arguments: ["tar -C $OUT -c links | tar x", "cp -a $OUT/links .", "mv $OUT/links ."])
    func unpacked(script: String) async throws {
        let wall = try await Wall()
        try await wall.collect()
        try await wall.shell(script)
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: links/inner/clouds.jpg", "2026-11-20: links/orion.jpg"])
        #expect(wall.target("links/inner/clouds.jpg") == "../../\(clouds)")
        #expect(wall.target("links/orion.jpg") == "../\(orion)")
        #expect(try wall.unrecognised == [])
    }

    @Test("are seen when tar makes them, which it does last")
    func tar() async throws {
        let wall = try await Wall()
        try wall.album("links")
        // As tar puts it down until all else is unpacked: links might lead its other files astray.
        try await wall.shell(": >links/orion.jpg; chmod 0 links/orion.jpg")
        try wall.lookAndSettle()
        #expect(try wall.favorites == [] && wall.unrecognised == ["links/orion.jpg"])
        try await wall.shell("rm -f links/orion.jpg; ln -s \"$ORION\" links/orion.jpg")
        try wall.lookAndSettle(at: "links/orion.jpg")
        #expect(try wall.favorites == ["2026-11-20: links/orion.jpg"])
        #expect(try wall.unrecognised == [])
    }

    /// They lead where they should, so that git sees nothing that it would not overwrite.
    @Test("follow the branch that git checks out", .enabled(if: Wall.has("git")))
    func git() async throws {
        let wall = try await Wall()
        try await wall.shell(
            """
            git init -q -b night $OUT/repository; cd $OUT/repository
            ln -s '../../\(Wall.orionFile)' both; ln -s '../../\(Wall.orionFile)' one; git add .; git commit -qm a
            git checkout -qb dawn; ln -sf '../../\(Wall.cloudsFile)' both; git rm -q one; git add .; git commit -qm b
            """)
        try await wall.shell("git clone -q -b night $OUT/repository wall")
        let before = listing("\(wall.folder)/wall/.git")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: wall/both, wall/one"])
        #expect(listing("\(wall.folder)/wall/.git") == before)
        #expect(try wall.unrecognised == ["wall/.git"])
        try await wall.shell("cd wall; git checkout -q dawn; git diff --exit-code")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-09-13: wall/both"])
        try await wall.shell("cd wall; git checkout -q night; git diff --exit-code; git fsck --strict")
        try wall.lookAndSettle()
        #expect(try wall.favorites == ["2026-11-20: wall/both, wall/one"])
    }

    @Test("can be put into the trash and taken out again")
    func trash() async throws {
        let wall = try await Wall()
        let trash = "$OUT/.local/share/Trash/files"
        try await wall.shell("ln -s \"$ORION\" a; mkdir -p \(trash)")
        try wall.lookAndSettle()
        // At once, and the folder has not rested in between.
        try await wall.shell("mv a \(trash)/")
        try wall.look(at: "a")
        try await wall.shell("mv \(trash)/a .")
        try wall.lookAndSettle(at: "a")
        #expect(try wall.changes == ["added 2026-11-20"])
        // After a while.
        try await wall.shell("mv a \(trash)/")
        try wall.lookAndSettle(at: "a")
        #expect(try wall.favorites == [])
        try await wall.shell("mv \(trash)/a .")
        try wall.lookAndSettle(at: "a")
        #expect(try wall.favorites == ["2026-11-20: a"])
        #expect(wall.target("a") == orion)
        #expect(try wall.changes == ["added 2026-11-20", "removed 2026-11-20", "restored 2026-11-20"])
    }
}
