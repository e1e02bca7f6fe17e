import Apod
import Archive
import Catalog
import Configuration
import Files
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct RefreshTests {
    private let today = TestMirror.today

    private func range(_ from: Day, _ to: Day) -> String {
        "\(FakeNASA.base)?page=1&per_page=25&date_from=\(from.compact)&date_to=\(to.compact)"
    }

    @Test("A refresh brings back what is gone or cut of the newest days, and asks for no other file")
    func gone() async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: "Night Clouds")])
        try await testMirror.sync()
        let path = testMirror["\(today.folder)/\(today) Night Clouds.mp4"]
        let before = try contents(path)
        for damage in [{ unlink(path) }, { truncate(path, 100) }] {
            #expect(damage() == 0)
            testMirror.nasa.server.forgetRequests()
            #expect(try await testMirror.sync()[today] == "mirrored")
            #expect(try contents(path) == before)
            #expect(testMirror.fileRequests.count == 1, "\(testMirror.fileRequests)")
        }
        try await testMirror.audit()
    }

    @Test(
        "A refresh clears away unfinished downloads with which nobody went on for a month, though NASA does not answer")
    func stale() async throws {
        let testMirror = try TestMirror(days: 1)
        try await testMirror.sync()
        let path = testMirror[".apod-mirror/unfinished/left"]
        try save([1], to: path)
        // What is whole has the time of its day.
        try File.reading(path).setModified(0)
        let now = try File.reading(path).facts().changed
        testMirror.nasa.server.stop()
        for (days, isThere) in [(29, true), (31, false)] {
            testMirror.clock.set(now + days * 86_400)
            _ = try await testMirror.attempt()
            #expect((Facts(path) != nil) == isThere)
        }
    }

    @Test("A refresh asks for windows of at most 25 days, the newest first")
    func windows() async throws {
        let testMirror = try TestMirror(days: 60)
        let events = try await testMirror.sync()
        #expect(
            testMirror.questions == [
                range(ago(24), today),
                range(ago(49), ago(25)),
                range(ago(59), ago(50)),
            ])
        #expect(events.words.count == 60)
        #expect(events.words.first.map { $0 > "2026-10-27" } == true)
        #expect(events.words.suffix(15).contains { $0 < "2026-10-02" })
        try await testMirror.audit()
    }

    @Test("A refresh finds in one question what came since the last one, also after weeks")
    func away() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.clock.pass(days: 10)
        for entry in Entry.days(10, newest: today.advanced(by: 10), bytes: 2_000) { testMirror.nasa.add(entry) }
        testMirror.nasa.server.forgetRequests()
        let events = try await testMirror.sync()
        #expect(testMirror.questions == [range(ago(2), today.advanced(by: 10))])
        #expect(events.words.filter { $0.hasSuffix("mirrored") }.count == 10)
        try await testMirror.audit()
    }

    @Test("A refresh looks again at the last days before an absence of more than one answer's days")
    func longAway() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.nasa[ago(1)]?.title = "Kumquats"
        testMirror.clock.pass(days: 30)
        for entry in Entry.days(30, newest: today.advanced(by: 30), bytes: 2_000) { testMirror.nasa.add(entry) }
        testMirror.nasa.server.forgetRequests()
        let events = try await testMirror.sync()
        #expect(testMirror.questions == [range(ago(2), today.advanced(by: 30)), range(ago(2), today.advanced(by: 5))])
        #expect(events.words.filter { $0.hasSuffix("mirrored") }.count == 31)
        #expect(try testMirror.json(ago(1))["title"]?.string == "Kumquats")
    }

    @Test("A refresh takes a day that was never published for absent, and does not ask again before its time")
    func absent() async throws {
        let entries = Entry.days(5, newest: today, bytes: 2_000)
        let hole = ago(2)
        let testMirror = try TestMirror(entries.filter { $0.day != hole }) { $0.recheckDays = 0 }
        #expect(try await testMirror.sync()[hole] == "absent")
        #expect(testMirror.questions.last == "\(FakeNASA.base)/\(hole.compact)")
        for (days, asks) in [(0, false), (1, true), (1, false), (1, true), (3, false), (1, true)] {
            testMirror.clock.pass(days: days)
            testMirror.nasa.add(Entry(testMirror.today, bytes: 2_000))
            testMirror.nasa.server.forgetRequests()
            try await testMirror.sync()
            #expect(testMirror.questions.contains("\(FakeNASA.base)/\(hole.compact)") == asks, "after \(days) days")
        }
    }

    @Test("A refresh finds a day that was absent and is published after all")
    func late() async throws {
        let hole = ago(2)
        let testMirror = try TestMirror(Entry.days(5, newest: today, bytes: 2_000).filter { $0.day != hole })
        #expect(try await testMirror.sync()[hole] == "absent")
        testMirror.nasa.add(Entry(hole, bytes: 2_000))
        #expect(try await testMirror.sync()[hole] == "mirrored")
    }

    @Test("A refresh takes a day newer than the newest for not yet there, and asks again the next time")
    func notYet() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.clock.pass(days: 1)
        let tomorrow = today.advanced(by: 1)
        for _ in 1...2 {
            testMirror.nasa.server.forgetRequests()
            #expect(try await testMirror.sync()[tomorrow] == "not yet")
            #expect(testMirror.questions.count == 1)
            #expect(try testMirror.status(tomorrow) == nil)
        }
        testMirror.nasa.add(Entry(tomorrow, bytes: 2_000))
        #expect(try await testMirror.sync()[tomorrow] == "mirrored")
    }

    @Test("A refresh says whether all that is new was asked for")
    func allNew() async throws {
        let testMirror = try TestMirror(days: 3)
        let (first, last) = (ago(2), TestMirror.today)
        let requests: [(RefreshRequest, Bool)] = [
            (.days([last]), false), (.gaps(first...last), false), (.missing(first...last), true),
            (.missing(first...ago(1)), false), (.again([last]), false),
        ]
        for (request, isForAllNew) in requests {
            let result = try await testMirror.mirror { try await $0.refresh().run(request) { _ in } }
            #expect(result == isForAllNew, "\(request)")
        }
    }

    @Test("A refresh asks for a day by its own address when only that one is wanted, whatever is known of it")
    func single() async throws {
        let testMirror = try TestMirror(days: 9)
        let wanted = ago(8)
        for expected in ["mirrored", "unchanged"] {
            testMirror.nasa.server.forgetRequests()
            #expect(try await testMirror.sync(.days([wanted])).words == ["\(wanted) \(expected)"])
            #expect(testMirror.questions == ["\(FakeNASA.base)/\(wanted.compact)"])
        }
        #expect(try await testMirror.sync(.days([day("1995-06-17")])).words == ["1995-06-17 absent"])
        #expect(try await testMirror.sync(.days([november(25)])).words == ["2026-11-25 not yet"])
    }

    @Test("A refresh of named days far apart asks no more than it must")
    func named() async throws {
        let old = Entry(day("2001-02-03"), bytes: 2_000)
        let testMirror = try TestMirror([old] + Entry.days(9, newest: today, bytes: 2_000))
        let days: Set = [old.day, today, ago(8)]
        try await testMirror.sync(.days(days))
        #expect(testMirror.questions == [range(ago(8), today), "\(FakeNASA.base)/010203"])
        #expect(Set(try testMirror.catalog.storedDays().map(\.day)) == days)
    }

    @Test("A refresh looks again for the original when its time has come")
    func upgrade() async throws {
        let old = ago(20)
        let testMirror = try TestMirror(days: 30)
        testMirror.nasa[old]?.hasOriginal = false
        #expect(try await testMirror.sync()[old] == "downgraded")
        #expect(try testMirror.bytes(old, "jpg") == testMirror.nasa[old]?.files[0].rendition?.bytes)
        #expect(try testMirror.json(old)["mirror"]?["downgraded"]?.bool == true)
        testMirror.nasa[old]?.hasOriginal = true
        #expect(try await testMirror.sync()[old] == nil)
        testMirror.clock.pass(days: 1)
        #expect(try await testMirror.sync()[old] == "mirrored")
        #expect(try testMirror.bytes(old, "jpg") == testMirror.nasa[old]?.files[0].original?.bytes)
        #expect(try testMirror.json(old)["mirror"]?["downgraded"]?.bool == false)
        try await testMirror.audit()
    }

    @Test("A refresh adopts what is in the tree and not in the catalog, without asking for its files")
    func adopts() async throws {
        let (one, other) = (try TestMirror(days: 3), try TestMirror(days: 30))
        try await other.sync()
        try await one.sync()
        let old = ago(20)
        for name in other.files(old) { try one.put(other.bytes("2026/10/\(name)"), at: "2026/10/\(name)") }
        one.nasa.server.forgetRequests()
        #expect(try await one.sync(.missing(old...old)).words == ["rediscovered 1"])
        #expect(one.fileRequests == [])
        // What the server tells of its files only the catalog knew.
        var files = try #require(try other.status(old)?.stored?.files)
        for index in files.indices { files[index].validators = nil }
        #expect(try one.status(old)?.stored?.files == files)
        try await one.audit()
    }

    @Test("A refresh remembers when the upstream answered last, and does not when it did not")
    func lastRefresh() async throws {
        let testMirror = try TestMirror(days: 2)
        try await testMirror.sync()
        let first = testMirror.clock.now
        #expect(try testMirror.catalog.fact(.lastRefresh) == first)
        testMirror.clock.pass(days: 1)
        testMirror.nasa.stop()
        _ = try await testMirror.attempt()
        #expect(try testMirror.catalog.fact(.lastRefresh) == first)
    }
}
