import Apod
import Archive
import Catalog
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Favorites

struct CopyTests {
    private let fixture: FavoritesFixture

    init() async throws { fixture = try await FavoritesFixture() }

    @Test(
        "A copy in the favorites folder that cannot be replaced stays a favorite when the picture is corrected",
        .enabled(if: geteuid() == 0, "needs root"))
    func correction() async throws {
        try await fixture.shell("mkdir a; cp \"$ORION\" a/a.jpg; chown -R nobody \"$ROOT\"; chown root a; chmod 755 a")
        try Person.asAnother { try fixture.lookAndSettle() }
        #expect(try fixture.favorites == ["2026-11-20: a/a.jpg"])
        try await fixture.mirror.add(FavoritesFixture.orion, "Orion Rising", bytes: 1234)
        try await fixture.restart()
        try fixture.lookAndSettle(to: ["2026-11-20: a/a.jpg"])
    }

    @Test(
        "A copy in the favorites folder mends the picture, if that is damaged, and keeps what was there",
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
        "A copy in the favorites folder goes with its favorite, unless the picture in the tree is damaged: it may be the only one left",
        .enabled(if: geteuid() == 0, "needs root"), arguments: [true, false])
    func lastOne(isDamaged: Bool) async throws {
        try await fixture.shell("mkdir a; cp \"$ORION\" a/a.jpg; chown -R nobody \"$ROOT\"; chown root a; chmod 755 a")
        try Person.asAnother { try fixture.lookAndSettle() }
        if isDamaged { try await fixture.shell("printf x 1<>\"$ORION\"") }
        let editor = try FavoritesEditor(root: fixture.root, catalog: fixture.catalog, favorites: fixture.log)
        let removed = try editor.remove(Subject(FavoritesFixture.orion))
        #expect(removed.map(\.description) == (isDamaged ? [] : ["a/a.jpg"]))
        #expect((Facts(fixture["a/a.jpg"]) != nil) == isDamaged)
    }

    @Test(
        "A copy in the favorites folder of a smaller copy, as a browser saves it, becomes a link while the picture is here",
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

    @Test("A copy in the favorites folder that could not be replaced by a link is, when a later look finds it")
    func later() async throws {
        try await fixture.shell("cp \"$ORION\" a.jpg")
        // As a kill, or an error of the disk, leaves it after the line.
        try fixture.log.append([HistoryLine(.came, Link("a.jpg", to: FavoritesFixture.orion), at: 1, isLink: false)])
        try fixture.lookAndSettle(to: ["2026-11-20: a.jpg"])
        #expect(fixture.target("a.jpg") == FavoritesFixture.orionLink)
    }

    @Test(
        "A copy in the favorites folder of two days with the same picture goes back to the one that misses it",
        arguments: [".", "mine.jpg"])
    func twins(name: String) async throws {
        try await fixture.mirror.add(FavoritesFixture.orion.advanced(by: -256), "Orion Once Before")
        try await fixture.shell("mv \"$ORION\" \(name)")
        try fixture.lookAndSettle()
        #expect(try fixture.days == ["2026-11-20"])
        #expect(exists(fixture.orionPath))
    }

    @Test(
        "A copy in the favorites folder of several days with the same picture stands for the one whose day its name begins with"
    )
    func named() async throws {
        let days = (0..<3).map { FavoritesFixture.orion.advanced(by: -256 * $0) }
        for day in days[1...] { try await fixture.mirror.add(day, "Orion Rising") }
        for day in days { try await fixture.shell("cp \"$ORION\" '\(day) mine.jpg'") }
        try fixture.lookAndSettle(to: days.reversed().map { "\($0): \($0) mine.jpg" })
        for day in days {
            #expect(fixture.target("\(day) mine.jpg")?.hasSuffix("/\(day) Orion Rising.jpg") == true)
        }
    }

    @Test("Copies in the favorites folder become links together, also where each change rings the bell")
    func together() async throws {
        try await fixture.shell("for i in 1 2 3; do cp \"$ORION\" $i.jpg; done")
        try fixture.look()
        // One at a time: each begins to rest, and then each is compared.
        for _ in 1...6 {
            let asked = Mutex(0)
            _ = try fixture.keeper.settle {
                asked.withLock { count in
                    count += 1
                    return count > 1
                }
            }
        }
        #expect(["1.jpg", "2.jpg", "3.jpg"].allSatisfy { fixture.target($0) == FavoritesFixture.orionLink })
    }

    @Test("A copy in the favorites folder is left to rest before it becomes a link")
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
