import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Store

struct CatalogRebuildTests {
    private let fixture: ArchiveFixture

    init() async throws { fixture = try await Self.filled() }

    private static func filled() async throws -> ArchiveFixture {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(20), "Orion Rising")
        try await fixture.add(november(19), "Clouds", "", film)
        try await fixture.add(november(18), "A Flight", "Up.", [(.page, .html)])
        try await fixture.add(november(17), "Words", "Only.", [], state: .placeholder)
        try await fixture.add(
            day("2026-10-31"), "Small", "Half.", [(.picture, .png)], downgraded: true, state: .downgraded)
        try await fixture.add(day("1995-06-16"), "Neutron Star Earth: / é\u{301}", "First.", [(.picture, .gif)])
        return fixture
    }

    /// What is in the catalog's place, and whether its log was left behind.
    private static let remains: [(bytes: [UInt8]?, hasLog: Bool)] = [
        (nil, false), (nil, true), ([], false), ("no database at all, but text".bytes, true),
        (.init(repeating: 0xee, count: 9000), true),
    ]

    @Test("A catalog is made again from the tree, equal for every day, whatever was left of it", arguments: remains)
    func rebuilt(bytes: [UInt8]?, hasLog: Bool) async throws {
        let before = try fixture.storedDays()
        let log = try contents(fixture.catalog + "-wal")
        try await fixture.forget()
        if let bytes { try save(bytes, to: fixture.catalog) }
        if hasLog { try save(bytes == nil ? log : [1, 2, 3], to: fixture.catalog + "-wal") }
        #expect(try fixture.storedDays() == before)
        #expect(try fixture.openCatalog.search(["orion"], limit: 9).map(\.name.day) == [november(20)])
        if let bytes, !bytes.isEmpty { #expect(try contents(fixture.catalog + ".aside") == bytes) }
        try await fixture.expectNoProblems()
    }

    @Test(
        "A catalog that is damaged in the middle is made again, at the latest when it is opened again", arguments: 1...9
    )
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

    @Test("Damage that one has met ends the service, and says nothing of the catalog that is made then")
    func damagedSearch() async throws {
        _ = try fixture.archive().firstDay(orChoose: day("1995-06-16"))
        try fixture.openCatalog.database.withLock { database in
            try database.script("DELETE FROM prose_data WHERE id = 10")
        }
        try fixture.archive().checkPlaces()
        let other = try #require(try Archive.catalogToRead(root: fixture.root))
        #expect(throws: Problem.self) { try other.search(["orion"], limit: 9) }
        #expect { try fixture.archive().checkPlaces() } throws: { ($0 as? Problem)?.endsService == true }
        try await fixture.close()
        #expect(try fixture.openCatalog.search(["first"], limit: 9).count == 1)
        #expect(throws: Problem.self) { try other.search(["orion"], limit: 9) }
        try fixture.archive().checkPlaces()
    }

    @Test("A catalog that is made again is not one before it knows all days")
    func days() async throws {
        let catalog = try Catalog(insteadOf: "new")
        try catalog.database.withLock { database in
            try database.script("CREATE TRIGGER full BEFORE INSERT ON item BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        let rebuild = CatalogRebuild(try fixture.archive().tree, read: ArchiveFixture.read)
        #expect(throws: Problem.self) { try rebuild.enter(into: catalog) }
        #expect(try catalog.fact(.since) == nil)
    }

    @Test("The range begins where days follow each other, with a month between two of them at most")
    func since() async throws {
        let fixture = try ArchiveFixture()
        for date in ["2026-11-20", "2026-10-20", "2026-09-18", "2026-09-17"] { try await fixture.add(day(date)) }
        try await fixture.forget()
        #expect(try fixture.openCatalog.fact(.since) == day("2026-10-20").number)
    }

    @Test("A list that a copy without the mirror's own folder has is one of the mirror's")
    func listOfCopy() async throws {
        let fixture = try ArchiveFixture()
        try await ListArchive("cats", of: fixture.archive()).add("Mittens")
        try await fixture.close()
        rename(fixture[".apod-mirror"], fixture.folder.appending("own"))
        #expect(try fixture.openCatalog.lists() == Set(Archive.lists(root: fixture.root)))
    }

    @Test("A catalog that is made again sees which files are missing, too short or links")
    func incomplete() async throws {
        try await fixture.forget()
        unlink(fixture["2026/11/2026-11-20 Orion Rising.jpg"])
        truncate(fixture["2026/11/2026-11-19 Clouds.mp4"], 10)
        let first = fixture.tree.first { $0.hasSuffix("gif") }!
        rename(fixture[first], fixture.folder.appending("first"))
        symlink(fixture.folder.appending("first"), fixture[first])
        let path = fixture["2026/11/2026-11-18 A Flight.json"]
        try save(fileText(path).replacing("\"downgraded\"", with: "\"pruned\": true, \"downgraded\""), to: path)
        let failed = try fixture.storedDays().filter { $0.state == .failed }.map(\.day)
        #expect(failed == [day("1995-06-16"), november(19), november(20)])
        #expect(try fixture.openCatalog.item(of: november(18))?.state == .mirrored)
    }

    @Test("Days that somebody put there are adopted if all their files are there, and deleted ones as deleted")
    func rediscovered() async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(10))
        let other = try await Self.filled()
        try await other.prune([november(20)])
        for name in other.tree where name.hasPrefix("2026/11/") && name.contains(".") && !name.hasSuffix(".html") {
            if !name.contains("Words") { try save(contents("\(other.root)/\(name)"), to: fixture[name]) }
        }
        let wanted: Set = [november(20), november(19), november(18), november(17), day("2001-01-01")]
        #expect(try fixture.archive().rediscover(wanted) == [november(19)])
        let known = try fixture.storedDays().suffix(2)
        #expect(known.map(\.state) == [.mirrored, .pruned] && known.map(\.day) == [november(19), november(20)])
        #expect(target(of: fixture["latest"]) == "2026/11/2026-11-19 Clouds.jpg")
    }
}

/// What stands in the tree can be anybody's: a backup from elsewhere, a share that others write to.
struct HostileRebuildTests {
    private static let good = november(19)
    private static let bad = "2026-11-20 Bad.json"

    /// Expects that only the good day is known, whatever somebody puts beside it.
    private func expectOnlyTheGood(_ put: (_ month: String, _ document: String) throws -> Void) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(Self.good, "Good")
        let month = fixture["2026/11"]
        let document = try fileText("\(month)/2026-11-19 Good.json").replacing("2026-11-19", with: "2026-11-20")
        try put(month, document.replacing("Good", with: "Bad"))
        #expect(try fixture.archive().rediscover([november(20), day("2026-12-01"), day("2025-01-02")]) == [])
        #expect(try fixture.storedDays().map(\.day) == [Self.good])
        try await fixture.forget()
        #expect(try fixture.storedDays().map(\.day) == [Self.good])
    }

    private static let texts = [
        "", "[]", "{}", #"{"upstream":{},"mirror":{"fetched":"2026-11-20T00:00:00Z","files":[]}}"#,
        #"{"upstream":{"date":"2026-11-20","title":"","text":""},"mirror":{"fetched":"now","files":[]}}"#,
        #"{"upstream":{"date":"2026-11-20","title":"","text":""},"mirror":{"fetched":"2026-11-20T00:00:00Z"}}"#,
        String(repeating: "[", count: 1_000_000),
    ]
    private static let changes = [
        ("2026-11-20 Bad.jpg", "../../../../etc/passwd"), ("2026-11-20 Bad.jpg", "../2026-11-19 Good.jpg"),
        ("2026-11-20 Bad.jpg", "2026-11-19 Good.jpg"), ("2026-11-20 Bad.jpg", ""), ("image/jpeg", "text/plain"),
        ("\"picture\"", "\"owner\""), ("\"bytes\": 1000", "\"bytes\": \"many\""),
        ("\"bytes\": 1000", "\"bytes\": -1"), ("\"bytes\": 1000", "\"bytes\": 4398046511105"),
        ("https://example.org/", "file:///etc/"), ("\"sha256\": \"", "\"sha256\": \"x"),
        ("\"date\": \"2026-11-20\"", "\"date\": \"2026-11-19\""),
    ]
    private static let names = ["2026-11-20 e\u{301}.json", "2026-11-31 Bad.json", "..json", "2026-12-01 Bad.json"]
    /// Two files in one role.
    private static func twice(_ document: String) -> String {
        let start = document.firstRange(of: "\"files\": [")!.upperBound
        let files = document[start...].prefix { $0 != "]" }
        return document.replacing(files, with: "\(files),\(files)")
    }
    private static let hostile: [(name: String, change: @Sendable (String) -> String)] =
        texts.map { text in (bad, { _ in text }) }
        + changes.map { from, to in (bad, { $0.replacing(from, with: to) }) } + [(bad, twice)]
        + names.map { name in (name, { $0.replacing("2026-11-20", with: name.prefix(10)) }) }

    @Test(
        "A catalog leaves out JSON that says nothing, leads elsewhere or has a wrong name", arguments: hostile.indices)
    func documents(index: Int) async throws {
        let (name, change) = Self.hostile[index]
        try await expectOnlyTheGood { month, document in
            #expect(change(document) != document || name != Self.bad)
            try save(change(document), to: "\(month)/\(name)")
            if name == Self.bad {
                try save(contents("\(month)/2026-11-19 Good.jpg"), to: "\(month)/2026-11-20 Bad.jpg")
            }
        }
    }

    @Test(
        "A catalog leaves out what is no file of a day: a link, a FIFO, a folder, or one that is too large",
        arguments: ["2026-11-19 Good.json", "fifo", "folder", "nowhere", "large"])
    func kinds(kind: String) async throws {
        try await expectOnlyTheGood { month, document in
            let path = "\(month)/\(Self.bad)"
            if kind == "large" { try save(document, to: path) } else { put(kind, at: path) }
            if kind == "large" { truncate(path, 65 << 20) }
            #expect(try Document.of(.day(november(20)), root: "\(month)/../..") == nil)
        }
    }

    @Test("A catalog does not go through links in the place of folders")
    func folders() async throws {
        let other = try ArchiveFixture()
        try await other.add(day("2025-01-02"), "Elsewhere")
        try await expectOnlyTheGood { month, _ in
            let root = "\(month)/../.."
            symlink("\(other.root)/2025", "\(root)/2025")
            mkdir("\(root)/2024", 0o755)
            symlink("\(other.root)/2025/01", "\(root)/2024/01")
            mkfifo("\(root)/2023", 0o644)
            symlink("/", "\(root)/1999")
        }
    }
}

extension ArchiveFixture {
    /// Expects that `verify` finds nothing.
    func expectNoProblems(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        #expect(try await problems() == [], sourceLocation: sourceLocation)
    }
}

/// What is no file, in the place of one: a FIFO, a folder, or a link that leads there.
func put(_ kind: String, at path: String) {
    switch kind {
    case "fifo": mkfifo(path, 0o644)
    case "folder": mkdir(path, 0o755)
    default: symlink(kind, path)
    }
}
