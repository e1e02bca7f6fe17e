import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

struct CatalogRebuildTests {
    private let fixture: ArchiveFixture

    init() async throws { fixture = try await Self.filled() }

    private static func filled() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(20), "Orion Rising")
        try await fixture.add(november(19), "Clouds", "", [(.video, .mp4), (.poster, .jpeg)])
        try await fixture.add(november(18), "A Flight", "Up.", [(.page, .html)])
        try await fixture.add(november(17), "Words", "Only.", [], state: .placeholder)
        try await fixture.add(
            day("2026-10-31"), "Small", "Half.", [(.picture, .png)], downgraded: true, state: .downgraded)
        try await fixture.add(day("1995-06-16"), "Neutron Star Earth: / é\u{301}", "First.", [(.picture, .gif)])
        return fixture
    }

    @Test(
        "A catalog that is rebuilt from the tree makes a lost catalog again, equal for every day; the digest of a record is made when it is asked for"
    )
    func rebuilt() async throws {
        let days = try fixture.openCatalog.storedDays()
        let before = try fixture.storedDays()
        try await fixture.forget()
        #expect(try fixture.storedDays() == before)
        let archive = try fixture.archive()
        #expect(try archive.catalog.storedDays().allSatisfy { $0.stored?.content == nil })
        for stored in days.compactMap(\.stored) { #expect(try archive.content(of: stored) == stored.content) }
        #expect(try fixture.openCatalog.search(["orion"], limit: 9).map(\.name.day) == [november(20)])
        try await fixture.expectNoProblems()
    }

    @Test(
        "A catalog that is rebuilt from the tree takes the place of an empty one, and of a lost one whose log was left behind",
        arguments: ["", "-wal"])
    func left(suffix: String) async throws {
        let before = try fixture.storedDays()
        let log = try contents(fixture.catalog + "-wal")
        try await fixture.forget()
        try save(suffix.isEmpty ? [] : log, to: fixture.catalog + suffix)
        #expect(try fixture.storedDays() == before)
    }

    @Test("A catalog that is rebuilt from the tree is not one before it knows all days")
    func days() async throws {
        let catalog = try Catalog(insteadOf: "new")
        try catalog.database.withLock { database in
            try database.script("CREATE TRIGGER full BEFORE INSERT ON day BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        let rebuild = CatalogRebuild(try fixture.archive().tree, read: ArchiveFixture.read)
        #expect(throws: Problem.self) { try rebuild.enter(into: catalog) }
        #expect(try catalog.fact(.since) == nil)
    }

    @Test(
        "A catalog that is rebuilt from the tree sets a damaged catalog aside",
        arguments: [Array("no database at all, but text".utf8), .init(repeating: 0xee, count: 9000)])
    func damaged(content: [UInt8]) async throws {
        let before = try fixture.storedDays()
        try await fixture.forget()
        try save(content, to: fixture.catalog)
        try save([1, 2, 3], to: fixture.catalog + "-wal")
        #expect(try fixture.storedDays() == before)
        #expect(try contents(fixture.catalog + ".aside") == content)
        #expect(exists(fixture.catalog + ".aside-wal"))
    }

    @Test(
        "A catalog that is rebuilt from the tree sets a catalog aside that is damaged in the middle, at the latest when it is opened again",
        arguments: 1...9)
    func damagedPage(page: Int) async throws {
        _ = try fixture.archive().firstDay(orChoose: day("1995-06-16"))
        let before = try fixture.storedDays()
        try await fixture.close()
        var bytes = try contents(fixture.catalog)
        try #require(bytes.count >= 10 * 4096)
        bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0xee, count: 4096))
        try save(bytes, to: fixture.catalog)
        if (try? await fixture.problems()) == nil { try await fixture.close() }
        #expect(try fixture.storedDays() == before)
        try await fixture.add(november(12), "Another")
        #expect(try fixture.openCatalog.search(["orion"], limit: 9).count == 1)
        try await fixture.expectNoProblems()
    }

    @Test("A catalog that is rebuilt from the tree takes the place of one whose search index is damaged")
    func damagedSearch() async throws {
        _ = try fixture.archive().firstDay(orChoose: day("1995-06-16"))
        try fixture.openCatalog.database.withLock { database in
            try database.script("DELETE FROM prose_data WHERE id = 10")
        }
        try await fixture.close()
        #expect(throws: Problem.self) { try fixture.openCatalog.search(["orion"], limit: 9) }
        #expect { try fixture.archive().checkPlaces() } throws: { ($0 as? Problem)?.endsService == true }
        try await fixture.close()
        let catalog = try fixture.openCatalog
        #expect(try catalog.search(["orion"], limit: 9).map(\.name.day) == [november(20)])
        #expect(try catalog.search(["first"], limit: 9).count == 1)
        #expect(exists(fixture.catalog + ".aside"))
        try fixture.archive().checkPlaces()
    }

    @Test(
        "A catalog that is rebuilt from the tree tells who has the mirror open of damage that others have met, and of none in what was set aside"
    )
    func suspicion() async throws {
        _ = try fixture.archive().firstDay(orChoose: day("1995-06-16"))
        try await fixture.close()
        // Written over the page in which only what is searched stands, so that nobody stumbles over it.
        var bytes = try contents(fixture.catalog)
        let page = try #require(bytes.firstRange(of: Array("Some text.".utf8))).lowerBound / 4096
        bytes.replaceSubrange(page * 4096..<(page + 1) * 4096, with: repeatElement(0xee, count: 4096))
        try save(bytes, to: fixture.catalog)
        try fixture.archive().checkPlaces()
        let other = try #require(try Archive.catalogToRead(root: fixture.root))
        #expect(throws: Problem.self) { try other.check() }
        #expect { try fixture.archive().checkPlaces() } throws: { ($0 as? Problem)?.endsService == true }
        try await fixture.close(afterOpening: true)
        try fixture.archive().checkPlaces()
        #expect(throws: Problem.self) { try other.check() }
        try fixture.archive().checkPlaces()
    }

    @Test(
        "A catalog that is rebuilt from the tree takes days that follow each other for the range, with a month between two of them at most"
    )
    func since() async throws {
        let fixture = try ArchiveFixture()
        for date in ["2026-11-20", "2026-10-20", "2026-09-18", "2026-09-17"] { try await fixture.add(day(date)) }
        try await fixture.forget()
        #expect(try fixture.openCatalog.fact(.since) == day("2026-10-20").number)
    }

    @Test(
        "A catalog that is rebuilt from the tree does not take a day for one whose files were deleted, if it names files"
    )
    func falselyPruned() async throws {
        let before = try fixture.storedDays()
        try await fixture.forget()
        let path = fixture["2026/11/2026-11-20 Orion Rising.json"]
        let text = try fileText(path)
        try save(text.replacing("\"downgraded\"", with: "\"pruned\": true, \"downgraded\""), to: path)
        #expect(try fixture.storedDays().map(\.state) == before.map(\.state))
    }

    @Test("A catalog that is rebuilt from the tree sees that files are missing or too short")
    func incomplete() async throws {
        try await fixture.forget()
        unlink(fixture["2026/11/2026-11-20 Orion Rising.jpg"])
        truncate(fixture["2026/11/2026-11-19 Clouds.mp4"], 10)
        let failed = try fixture.storedDays().filter { $0.state == .failed }.map(\.day)
        #expect(failed == [november(19), november(20)])
    }

    @Test(
        "A catalog that is rebuilt from the tree adopts what somebody put there, if all its files are there, and points to the newest picture"
    )
    func rediscovered() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(10))
        let other = try await Self.filled()
        for name in other.tree where name.hasPrefix("2026/11/2026-11-19") || name.hasSuffix("A Flight.json") {
            try save(contents("\(other.root)/\(name)"), to: fixture[name])
        }
        let wanted: Set = [november(19), november(18), november(17), day("2001-01-01")]
        #expect(try fixture.archive().rediscover(wanted) == [november(19)])
        #expect(try fixture.storedDays().last == other.storedDays().first { $0.day == november(19) })
        #expect(try fixture.archive().rediscover([november(18)]) == [])
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-19 Clouds.jpg")
    }

    @Test(
        "A catalog that is rebuilt from the tree enters a day whose files were deleted, and does not take it for one that is there"
    )
    func adoptedPruned() async throws {
        let gone = november(19)
        try await fixture.prune([gone])
        try await fixture.forget()
        let path = fixture["2026/11/2026-11-19 Clouds.json"]
        let json = try contents(path)
        unlink(path)
        #expect(try fixture.openCatalog.status(of: gone) == nil)
        try save(json, to: path)
        #expect(try fixture.archive().rediscover([gone]) == [])
        #expect(try fixture.openCatalog.status(of: gone)?.state == .pruned)
    }
}
