import Glibc
import TestSupport
import Testing

/// What programs leave behind, after all that they did on the way there.
struct ProgramTests {
    private let orion = FavoritesFixture.orionLink

    @Test("Links that a program made stay favorites under another name and in another album")
    func renamed() async throws {
        let fixture = try await FavoritesFixture()
        try await fixture.shell("mkdir one two; ln -s \"$ORION\" a")
        try fixture.lookAndSettle()
        for (script, place, target) in [
            ("mv a b", "b", orion), ("mv b one/c", "one/c", "../\(orion)"), ("mv one/c two/c", "two/c", "../\(orion)"),
            ("mv two three", "three/c", "../\(orion)"), ("mv three one", "one/three/c", "../../\(orion)"),
            ("mv one/three/c d", "d", orion),
        ] {
            try await fixture.shell(script)
            try fixture.lookAndSettle(to: ["2026-11-20: \(place)"])
            #expect(fixture.target(place) == target)
        }
        #expect(try fixture.history.filter { $0 != "moved 2026-11-20" } == ["came 2026-11-20"])
    }

    /// They lead where they should, so that git sees nothing that it would not overwrite.
    @Test(
        "Links that a program made follow the branch that git checks out",
        .enabled(if: FavoritesFixture.has("git"), "needs git"))
    func git() async throws {
        let fixture = try await FavoritesFixture()
        try await fixture.shell(
            """
            git init -q -b night $OUT/repository; cd $OUT/repository
            ln -s '../../\(FavoritesFixture.orionFile)' both; ln -s '../../\(FavoritesFixture.orionFile)' one; git add .; git commit -qm a
            git checkout -qb dawn; ln -sf '../../\(FavoritesFixture.cloudsFile)' both; git rm -q one; git add .; git commit -qm b
            """)
        try await fixture.shell("git clone -q -b night $OUT/repository fixture")
        let before = listing(fixture["fixture/.git"])
        try fixture.lookAndSettle(to: ["2026-11-20: fixture/both, fixture/one"])
        #expect(listing(fixture["fixture/.git"]) == before)
        #expect(try fixture.unrecognised == ["fixture/.git"])
        try await fixture.shell("cd fixture; git checkout -q dawn; git diff --exit-code")
        try fixture.lookAndSettle(to: ["2026-09-13: fixture/both"])
        try await fixture.shell("cd fixture; git checkout -q night; git diff --exit-code; git fsck --strict")
        try fixture.lookAndSettle(to: ["2026-11-20: fixture/both, fixture/one"])
    }
}
