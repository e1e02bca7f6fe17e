import Apod
import Glibc
import Store
import Synchronization
import TestSupport
import Testing

@testable import Favorites

struct CopyTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    @Test(
        "A copy mends the picture, if that is damaged, and keeps what was there",
        arguments: ["truncate -s 10", "printf x 1<>", "rm"])
    func damaged(program: String) async throws {
        let good = try contents(fixture.orionPath)
        try await fixture.shell("cp \"$ORION\" a.jpg; \(program) \"$ORION\"")
        try fixture.lookAndSettle()
        #expect(fixture.target("a.jpg") == FavoritesFixture.orionLink)
        #expect(try contents(fixture.orionPath) == good)
        #expect(Facts(fixture.orionPath)?.modified == FavoritesFixture.orion.noon)
        let kept = program == "rm" ? [] : ["2026-11-20 Orion Rising.jpg"]
        #expect(listing("\(fixture.root)/.apod-mirror/set-aside/1") == kept)
    }

    @Test(
        "A copy goes with its favorite, unless the picture in the tree is damaged",
        .root, arguments: [true, false])
    func lastOne(isDamaged: Bool) async throws {
        try await fixture.shell("mkdir a; cp \"$ORION\" a/a.jpg; chown -R nobody \"$ROOT\"; chown root a; chmod 755 a")
        try Person.asAnother { try fixture.lookAndSettle() }
        if isDamaged { try await fixture.shell("printf x 1<>\"$ORION\"") }
        let editor = try FavoritesEditor(root: fixture.root, catalog: fixture.catalog, favorites: fixture.log)
        let removed = try editor.remove(.day(FavoritesFixture.orion))
        #expect(removed.map(\.description) == (isDamaged ? [] : ["a/a.jpg"]))
        #expect((Facts(fixture["a/a.jpg"]) != nil) == isDamaged)
        try await fixture.shell("echo mine >>a/a.jpg")
        try Person.asAnother { try fixture.lookAndSettle(at: "a/a.jpg") }
        #expect(try fixture.days == [])
    }

    @Test(
        "A smaller copy, as a browser saves it, becomes a link while the picture is here",
        arguments: [
            ("2026-11-20-1280.jpg", "abc", true, true), ("2026-11-20-1280 (1).jpg", "abc", true, true),
            ("2026-11-20-480.webp", "de", true, true), ("2026-11-20-1280.jpg", "abd", true, false),
            ("2026-11-20-1280.jpg", "abcd", true, false), ("2026-11-20-1280.jpg", "abc", false, false),
            ("2026-09-13-1280.jpg", "abc", true, false), ("mine.jpg", "abc", true, false),
        ])
    func smaller(name: String, content: String, isHere: Bool, isCopy: Bool) async throws {
        try await fixture.shell(
            """
            mkdir -p "$ROOT/gallery/2026"; printf abc >"$ROOT/gallery/2026/2026-11-20-1280.jpg"
            printf de >"$ROOT/gallery/2026/2026-11-20-480.webp"; printf %s '\(content)' >'\(name)'
            \(isHere ? "" : "mv \"$ORION\" \"$ROOT/away\"")
            """)
        try fixture.lookAndSettle(to: isCopy ? ["2026-11-20: \(name)"] : [])
        #expect(fixture.target(name) == (isCopy ? FavoritesFixture.orionLink : nil))
        #expect(try isCopy || fileText(fixture[name]) == content)
        #expect(exists(fixture.orionPath) == isHere)
    }

    @Test(
        "A copy of a picture that two days have goes back to the one that misses it",
        arguments: [".", "mine.jpg"])
    func twins(name: String) async throws {
        try await fixture.mirror.add(FavoritesFixture.orion.advanced(by: -256), "Orion Once Before")
        try await fixture.shell("mv \"$ORION\" \(name)")
        try fixture.lookAndSettle()
        #expect(try fixture.days == ["2026-11-20"])
        #expect(exists(fixture.orionPath))
    }

    @Test("A copy of a picture that several days have stands for the one whose day its name begins with")
    func named() async throws {
        let days = (0..<3).map { FavoritesFixture.orion.advanced(by: -256 * $0) }
        for day in days[1...] { try await fixture.mirror.add(day, "Orion Rising") }
        for day in days { try await fixture.shell("cp \"$ORION\" '\(day) mine.jpg'") }
        try fixture.lookAndSettle(to: days.reversed().map { "\($0): \($0) mine.jpg" })
        for day in days {
            #expect(fixture.target("\(day) mine.jpg")?.hasSuffix("/\(day) Orion Rising.jpg") == true)
        }
    }

    @Test(
        "A copy that the history names is on the disk",
        .powerCuts)
    func powerCut() async throws {
        let disk = try await PowerDisk()
        let fixture = try await FavoritesFixture(root: "\(disk.path)/APOD")
        try await fixture.shell("mkdir a; cp \"$ORION\" a/a.jpg")
        let album = try ImmutableFolder(fixture["a"])
        try fixture.lookAndSettle(to: ["2026-11-20: a/a.jpg"])
        #expect(try contents("\(try await disk.cut())/APOD/favorites/a/a.jpg").count == 1000)
        withExtendedLifetime(album) {}
    }

    @Test("A copy that changes while the picture is put back does not take its place")
    func changed() async throws {
        try await fixture.shell("cp \"$ORION\" a.jpg; rm \"$ORION\"")
        let (copy, unfinished) = (fixture["a.jpg"], "\(fixture.root)/.apod-mirror/unfinished")
        let keeper = Keeper(
            try fixture.mirror.archive(), settleDelay: .zero, clock: { time(nil) },
            unless: {
                if !listing(unfinished).isEmpty { try? save([UInt8](repeating: 7, count: 1000), to: copy) }
                return false
            })
        try keeper.look(.everywhere)
        for _ in 0..<3 { _ = try? keeper.settle() }
        #expect(!exists(fixture.orionPath))
    }

    @Test("A copy is left to rest before it becomes a link")
    func rests() async throws {
        try await fixture.shell("cp \"$ORION\" a.jpg")
        try fixture.look()
        #expect(try fixture.keeper.settle() != nil)
        #expect(Facts(fixture["a.jpg"])?.kind == S_IFREG)
        #expect(try fixture.days == [])
        try await fixture.shell("chmod 0600 a.jpg")
        #expect(try fixture.keeper.settle() != nil)
        #expect(Facts(fixture["a.jpg"])?.kind == S_IFREG)
        try fixture.settle()
        #expect(fixture.target("a.jpg") == FavoritesFixture.orionLink)
    }
}
