import Apod
import CSQLite
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Store

struct CatalogTests {
    private let range = november(1)...november(10)
    private static let now = 1_000_000

    private let fixture: ArchiveFixture
    private var catalog: Catalog { get throws { try fixture.openCatalog } }

    init() async throws {
        fixture = try ArchiveFixture()
        let archive = try fixture.archive()
        try await fixture.add(november(1))
        try await fixture.add(november(2), "Text", "Only.", [], state: .placeholder)
        try await fixture.add(november(3), downgraded: true, state: .downgraded)
        let others: [(Int, Item.State, Int?)] = [
            (4, .absent, Self.now + 1), (5, .absent, Self.now), (6, .failed, Self.now + 1), (7, .failed, nil),
            (8, .absent, nil),
        ]
        for (number, state, retry) in others {
            try await archive.record(
                Item(.day(november(number)), state, retryAfter: retry, attempts: 2, failure: "why"))
        }
    }

    @Test("The catalog takes a record for another one, whichever of its words has changed")
    func contents() throws {
        let picture = Picture(
            day: Day.first, title: "A", explanation: "B", media: .none, record: JSONText("a record"))
        let address = try #require(WebAddress("https://example.org/a"))
        let changes: [(inout Picture) -> Void] = [
            { _ in }, { $0.title = "C" }, { $0.explanation = "C" }, { $0.credit = "C" }, { $0.copyright = "C" },
            { $0.alt = "C" }, { $0.permalink = address }, { $0.media = .embedded(address, poster: nil) },
        ]
        let contents = changes.map { change in
            var other = picture
            change(&other)
            return other.content
        }
        #expect(Set(contents).count == changes.count)
    }

    @Test("The catalog is opened so that what is committed is on the disk, whoever opens it to write")
    func isDurable() async throws {
        for catalog in [try catalog, try Catalog(in: fixture.root)] {
            let (mode, care) = try catalog.database.withLock { database in
                let mode = try database.first("PRAGMA journal_mode") { $0.text(0) }
                return (mode, try database.first("PRAGMA synchronous") { $0.integer(0) })
            }
            // 2: FULL (sqlite.org/pragma.html#pragma_synchronous).
            #expect(mode == "wal" && care == 2)
        }
    }

    @Test("The catalog knows which days are to be asked for, also before and behind those that it knows")
    func gaps() async throws {
        func gaps(_ first: Int, _ last: Int, at now: Int = Self.now) throws -> [Int] {
            let days = november(1).advanced(by: first - 1)...november(1).advanced(by: last - 1)
            return try catalog.gaps(in: days, at: now).map(\.day).sorted()
        }
        #expect(try gaps(1, 10) == [2, 3, 5, 7, 8, 9, 10])
        #expect(try gaps(1, 10, at: Self.now + 1) == [2, 3, 4, 5, 6, 7, 8, 9, 10])
        #expect(try gaps(1, 1) == [] && gaps(9, 9) == [9])
        #expect(try gaps(-1, 4) == [2, 3, 30, 31] && gaps(9, 11) == [9, 10, 11])
        try await fixture.add(november(10))
        #expect(try gaps(6, 10) == [7, 8, 9] && gaps(10, 10) == [] && gaps(10, 11) == [11])
        for (first, failed) in [(6, [7]), (7, [7]), (8, [])] {
            let found = try catalog.due(in: november(8)...november(9), failedSince: november(first), at: Self.now)
            #expect(found == Set((failed + [8, 9]).map(november)))
        }
    }

    @Test("The catalog knows from the same moment on that the gallery may not show a change")
    func gallery() async throws {
        let status = Item(.day(november(9)), .absent)
        let thumbnail = Catalog.ThumbnailState(
            PictureKey(november(1)), source: Digest(of: [1]), version: 1, screenBytes: 1)
        let changes: [(Catalog) throws -> Void] = [
            { try $0.record([.init(status)]) },
            { try $0.record(thumbnail) },
            { try $0.adopt([thumbnail]) },
            { try $0.setColors([(thumbnail.picture, thumbnail.source, 1)]) },
            { try $0.forgetThumbnails(for: .screens, of: [thumbnail.picture]) },
            { try $0.forgetThumbnails(of: [thumbnail.picture]) },
        ]
        for (index, change) in changes.enumerated() {
            try catalog.record(thumbnail)
            try catalog.setFact(.gallery, 7)
            try change(catalog)
            #expect(try catalog.fact(.gallery) == 0, "\(index)")
        }
        try catalog.setFact(.gallery, 7)
        // What is not committed has changed nothing.
        try catalog.database.withLock { database in
            try database.script(
                "CREATE TEMP TRIGGER no BEFORE INSERT ON thumbnail BEGIN SELECT RAISE(ABORT, 'no'); END")
        }
        #expect(throws: Problem.self) { try catalog.record(thumbnail) }
        #expect(try catalog.fact(.gallery) == 7)
    }

    @Test("A list that is left while its pictures are decoded leaves no thumbnail behind")
    func left() throws {
        let key = Key("lists/cats/Mittens")!
        let thumbnail = Catalog.ThumbnailState(PictureKey(key), source: Digest(of: [1]), version: 1, screenBytes: 1)
        try catalog.record([.init(Item(key, .failed))])
        try catalog.record(thumbnail)
        #expect(try catalog.thumbnailBytes() == 1)
        try catalog.forget(key.list!)
        #expect(try catalog.thumbnailBytes() == 0)
        try catalog.record(thumbnail)
        try catalog.adopt([thumbnail])
        #expect(try catalog.thumbnailBytes() == 0)
    }

    @Test("The catalog has the gallery as it was where a day is only put off")
    func putOff() throws {
        var status = Item(.day(november(9)), .absent)
        func record(_ change: (inout Item) -> Void) throws -> (keys: [Key], gallery: Int?) {
            try catalog.setFact(.gallery, 7)
            change(&status)
            return (try catalog.record([.init(status)]), try catalog.fact(.gallery))
        }
        #expect(try record { _ in } == ([status.key], 0))
        #expect(try record { ($0.attempts, $0.retryAfter) = (3, 900) } == ([], 7))
        #expect(try catalog.item(of: status.day)?.attempts == 3)
        #expect(try record { ($0.state, $0.failure) = (.failed, "once") } == ([status.key], 0))
        #expect(try record { $0.failure = "again" } == ([status.key], 0))
    }

    @Test(
        "The catalog knows until when to leave the upstream alone, unless a clock that was ahead noted it",
        arguments: [(0, false), (1, true), (86_400, true), (86_401, false)])
    func quiet(seconds: Int, isBelieved: Bool) throws {
        try catalog.setFact(.quietUntil, Self.now + seconds)
        #expect(try catalog.quiet(at: Self.now) == (isBelieved ? Self.now + seconds : nil))
    }

    @Test(
        "The catalog knows the newest day, with a picture and without",
        arguments: [Item.State.placeholder, .failed])
    func newest(state: Item.State) async throws {
        try await fixture.add(november(9), "Text", "Only.", [], state: state)
        #expect(try catalog.newest() == november(9) && catalog.newestComplete() == november(3))
        let images = try [nil, 4, 3, 2, 1].map { try catalog.newestImage(before: $0.map(november))?.day.day }
        #expect(images == [3, 3, 1, 1, nil])
    }

    @Test("The catalog knows which favorites are still without a picture")
    func pending() async throws {
        try await fixture.prune([november(1)], at: Self.now)
        try await fixture.add(november(9))
        // A still alone is no picture of a day that failed.
        try await fixture.add(november(10), "A Clip", "", [(.poster, .jpeg)])
        var failed = try #require(try catalog.item(of: november(10)))
        (failed.state, failed.failure) = (.failed, "gone")
        try catalog.record([.init(failed)])
        let pending = try catalog.pending(among: Set(range.map(Key.day)))
        #expect(pending.map(\.key.day?.day) == (1...10).filter { $0 != 3 && $0 != 9 })
        #expect(pending.last?.state == .failed && pending.last?.failure == "gone")
    }

    @Test("The catalog counts a day whose file was missing when it was made anew as missing, and not as failed")
    func missing() async throws {
        #expect(try catalog.countMissing(in: range) == 2 && catalog.countMissing(in: november(1)...november(5)) == 0)
        for reason in [Problem(.missing), nil] {
            for name in ["2026-11-03", "2003-01-02"] {
                let before = try catalog.item(of: day(name))
                let status = Item(.day(day(name)), .failed, failure: reason, stored: before?.stored)
                try catalog.record([.init(status)])
                #expect(status.lacksFiles)
                #expect(try catalog.countMissing(in: range) == 3 && catalog.countMissing(in: nil) == 1)
                #expect(try catalog.summary().failed.count == 2)
                try catalog.record([.init(before ?? Item(.day(day(name)), .absent))])
            }
        }
    }

    @Test("The catalog keeps all that is known of an item", arguments: Item.State.allCases)
    func roundTrip(state: Item.State) async throws {
        let why = Problem(.refused, "a\n“reason”", at: WebAddress("https://a.example/b?c=d"), path: "/a b", number: 13)
        var mirror = MirrorPart(fetched: 1)
        (mirror.isDowngraded, mirror.isPruned, mirror.incomplete) = (true, true, Incomplete(why))
        (mirror.setAside, mirror.number) = ([Digest(of: [1])], 4)
        let file = StoredFile(
            role: .also(2), type: .jpeg, address: WebAddress("https://a.example/b.jpg")!, bytes: 5,
            sha256: Digest(of: [2]), width: 6, height: 7, isFormer: true, alt: "“Alt”", isRollover: true,
            isOfNeighbour: true, validators: Validators(etag: "e", modified: "m"))
        let stored = Item.Stored(
            name: FileName(day: day("2020-02-29"), title: "Ångström"), title: "Ångström", hasText: true, files: [file],
            mirror: mirror, content: Digest(of: [3]), lacks: 8, isStandIn: true, json: Digest(of: [4]), jsonBytes: 10)
        for stored in [nil, stored] {
            let item = Item(
                .day(day("2020-02-29")), state, retryAfter: 9, attempts: 3, failure: why, stored: stored)
            try catalog.record([.init(item)])
            #expect(try catalog.item(of: item.key) == item)
        }
    }

    @Test("The catalog knows which days speak of a day, the newest first, until their texts change")
    func links() throws {
        let catalog = try Catalog(insteadOf: "catalog")
        func record(_ number: Int, _ days: [Day]) throws {
            let status = Item(.day(november(number)), .mirrored)
            try catalog.record([.init(status, title: "A", explanation: "B", speaksOf: Set(days))])
        }
        for number in [3, 5, 4] { try record(number, [november(1), november(number + 10)]) }
        #expect(try catalog.links().map(\.target.day) == [1, 13, 1, 14, 1, 15])
        // A status alone leaves the texts.
        try catalog.record([.init(Item(.day(november(4)), .mirrored))])
        #expect(try catalog.days(speakingOf: november(1)).map(\.day) == [5, 4, 3])
        try record(4, [])
        #expect(try catalog.days(speakingOf: november(1)).map(\.day) == [5, 3])
    }

    @Test(
        "A catalog of another version is set aside and made again from the files",
        arguments: [0, Schema.version - 1, Schema.version + 1])
    func otherVersion(version: Int) async throws {
        try await fixture.close()
        try execute("PRAGMA user_version = \(version)")
        let words = "is of version \(version), not \(Schema.version); the service or the next sync"
        #expect { _ = try Archive.catalogToRead(root: fixture.root) } throws: { "\($0)".contains(words) }
        #expect(!exists(fixture.catalog + ".aside") && !exists(fixture.catalog + ".suspect"))
        #expect(try fixture.archive().foundDays == 3 && fixture.storedDays().count == 3)
        #expect(exists(fixture.catalog + ".aside"))
        try await fixture.close()
        #expect(try fixture.archive().foundDays == nil)
        // An empty one is filled.
        try await fixture.forget()
        try execute("PRAGMA user_version = 0")
        #expect(throws: Problem.self) { try Archive.catalogToRead(root: fixture.root) }
        #expect(try fixture.storedDays().count == 3)
    }

    @Test("The catalog goes on when something could not be entered, of which nothing stays")
    func refused() async throws {
        try execute("CREATE TRIGGER refusal BEFORE INSERT ON file BEGIN SELECT RAISE(ABORT, 'no'); END")
        let arrival = try fixture.arrival(november(9))
        await #expect(throws: Problem.self) { try await fixture.archive().add(arrival.day()) }
        #expect(try catalog.item(of: november(9)) == nil)
        try execute("DROP TRIGGER refusal")
        try await fixture.add(november(10))
        #expect(try catalog.newest() == november(10))
    }

    @Test("The catalog with rows that were not written here does without them")
    func foreignRows() async throws {
        _ = try fixture.archive().firstDay(orChoose: november(1))
        try await fixture.close()
        for change in [
            "UPDATE item SET stem = '../../etc/passwd' WHERE n = \(november(1).number)",
            "UPDATE item SET state = 'odd' WHERE n = \(november(2).number)", "UPDATE file SET type = 'text/plain'",
        ] { try execute(change) }
        let storedDays = try fixture.storedDays().compactMap(\.stored)
        #expect(storedDays.map(\.name.day) == [november(3)] && storedDays[0].files.isEmpty)
    }

    @Test("The catalog's totals are the sums over its rows, whatever comes, changes and goes")
    func totals() async throws {
        do {
            let list = try ListArchive("cats", of: fixture.archive())
            for title in ["Tom", "Kitty"] { try await list.add(title) }
        }
        try await fixture.add(november(1), "A Title", "Other words, and more of them.")
        try await fixture.add(november(9), "A", "B", [(.video, .mp4), (.poster, .jpeg), (.also(2), .jpeg)])
        try catalog.record([.init(Item(.day(november(10)), .absent))])
        try await fixture.prune([november(2)])
        func check(_ items: Int, _ pictures: Int) throws {
            let kept = try catalog.all("SELECT * FROM total WHERE items > 0 ORDER BY list") { row in
                ["items", "json_bytes", "pictures", "bytes"].map { row.integer($0) ?? 0 }
            }
            let summed = try catalog.all(
                """
                SELECT count(*) AS items, sum(json_bytes) AS json_bytes,
                    (SELECT count(*) FROM file WHERE file.list = item.list AND role IN ('picture', 'also')) AS pictures,
                    (SELECT ifnull(sum(bytes), 0) FROM file WHERE file.list = item.list) AS bytes
                FROM item WHERE json_bytes IS NOT NULL GROUP BY list ORDER BY list
                """
            ) { row in ["items", "json_bytes", "pictures", "bytes"].map { row.integer($0) ?? 0 } }
            #expect(
                kept == summed && kept.reduce(0) { $0 + $1[0] } == items && kept.reduce(0) { $0 + $1[2] } == pictures)
        }
        try check(6, 5)
        try catalog.forget(ListName("cats")!)
        try check(4, 3)
        try await fixture.forget()
        _ = try fixture.archive()
        try check(6, 5)
    }

    @Test("The catalog finds keys, lists and the newest days by its indexes, and reads no whole table for them")
    func plans() async throws {
        let list = try ListArchive("cats", of: fixture.archive())
        let name = try await list.add("Tom")
        let key = name.key
        #expect(try catalog.key(marked: key.mark) == key && catalog.item(of: key)?.stored?.name == name)
        #expect(try catalog.ids(of: [key]) == [key: "Tom"] && catalog.faces(of: [key]).count == 1)
        #expect(try catalog.due(among: [november(1)], at: 0) == [] && catalog.pending(among: [key]).isEmpty)
        #expect(try catalog.lists() == [list.list] && catalog.knows(list.list) && !catalog.knows(ListName("dogs")!))
        #expect(try catalog.dueItems(of: list.list, at: nil) == [] && catalog.deletedItems(of: list.list, at: 0) == [])
        #expect(try catalog.items(of: list.list, beyond: 0) == [key] && catalog.stored(in: .list(list.list)).count == 1)
        #expect(try catalog.summary(of: list.list).days == 1 && catalog.summary().newest == november(3))
        #expect(try catalog.newestComplete() == november(3) && catalog.countDays(before: november(3)) == 2)
        #expect(try catalog.arrivals(atMost: 9).count == 1 && catalog.newestPruned() == nil)
        let scans = try catalog.database.withLock { database in
            try Array(database.statements).filter { sql in
                let sql = sql.replacing(#/\?[0-9]*/#, with: "''")
                let plan = try database.all("EXPLAIN QUERY PLAN \(sql)") { $0.text("detail") }
                return sql.hasPrefix("SELECT 1")
                    ? false : plan.contains { $0.hasPrefix("SCAN item") || $0.hasPrefix("SCAN file") }
            }
        }
        #expect(scans == [])
    }

    @Test("The catalog can be read while it is written to, and by those who may not write")
    func reading() async throws {
        let reader = try #require(try Archive.catalogToRead(root: fixture.root))
        try await fixture.add(november(9))
        #expect(try reader.newest() == november(9))
        let error = #expect(throws: Problem.self) { try reader.setFact(.since, 1) }
        #expect(error?.endsService == true && error?.code == .catalog)
    }

    private func execute(_ sql: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        try #require(sqlite3_open(fixture.catalog, &handle) == SQLITE_OK)
        try #require(
            sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
    }
}
