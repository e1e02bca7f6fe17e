import Glibc
import TestSupport
import Testing

/// What programs leave behind, after all that they did on the way there.
@Suite("Links that a program made")
struct ProgramTests {
    private let orion = Wall.orionLink

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
            try wall.lookAndSettle(to: ["2026-11-20: \(place)"])
            #expect(wall.target(place) == target)
        }
        #expect(try wall.history.filter { $0 != "moved 2026-11-20" } == ["came 2026-11-20"])
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
        let before = listing(wall["wall/.git"])
        try wall.lookAndSettle(to: ["2026-11-20: wall/both, wall/one"])
        #expect(listing(wall["wall/.git"]) == before)
        #expect(try wall.unrecognised == ["wall/.git"])
        try await wall.shell("cd wall; git checkout -q dawn; git diff --exit-code")
        try wall.lookAndSettle(to: ["2026-09-13: wall/both"])
        try await wall.shell("cd wall; git checkout -q night; git diff --exit-code; git fsck --strict")
        try wall.lookAndSettle(to: ["2026-11-20: wall/both, wall/one"])
    }
}
