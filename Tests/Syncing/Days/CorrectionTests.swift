import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

struct CorrectionTests {
    private let today = TestMirror.today

    private func testMirror() async throws -> TestMirror {
        let older = Entry(ago(1), title: "Older", bytes: 2_000)
        let testMirror = try TestMirror([older, Entry(today, title: "Rambutans", bytes: 2_000)])
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    @Test("A correction of texts is taken, but names stay, and the picture stays the same file")
    func texts() async throws {
        let testMirror = try await testMirror()
        func facts() throws -> Facts {
            try #require(Facts(testMirror["2026/11/2026-11-20 Rambutans.jpg"]))
        }
        let (files, before) = (testMirror.files(today), try facts())
        testMirror.nasa[today]?.title = "Kumquats"
        // The same bytes from elsewhere.
        testMirror.nasa[today]?.file = "Renamed_261120"
        #expect(try await testMirror.sync()[today] == "mirrored")
        let after = try facts()
        #expect(before.inode == after.inode && before.modified == after.modified)
        #expect(testMirror.files(today) == files)
        #expect(try testMirror.json(today)["url"]?.string?.contains("Renamed_261120") == true)
        #expect(try testMirror.catalog.search(["kumquats"], limit: 1).map(\.day) == [today])
        #expect(try testMirror.catalog.search(["rambutans"], limit: 1).isEmpty)
        try await testMirror.audit()
    }

    @Test("A correction to what is not there, or does not decode, changes only the text", arguments: [true, false])
    func worse(isThere: Bool) async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.credit = "Somebody Else"
        let cut = Pictures.jpeg(width: 640, height: 480, bytes: 5_000).bytes.dropLast(800) + [0xff, 0xd9]
        testMirror.nasa.answer(".jpg", isThere ? .media(Body(Array(cut)), type: "image/jpeg") : .html(404))
        try await testMirror.sync(.days([today]))
        #expect(try testMirror.bytes(today, "jpg") == picture)
        // What breaks off may be on its way to the upstream.
        #expect(try testMirror.status(today)?.state == (isThere ? .failed : .mirrored))
        #expect(try testMirror.json(today)["credit"]?.string?.contains("Somebody Else") == true)
        try await testMirror.audit()
    }

    @Test("A correction that a person reverts stays away until it is asked for")
    func reverted() async throws {
        let testMirror = try await testMirror()
        let old = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.file = "Better_261120"
        testMirror.nasa[today]?.seed = 99
        try await testMirror.sync()
        let new = try testMirror.bytes(today, "jpg")
        _ = try await testMirror.archive().revert(today, at: testMirror.clock.now)
        #expect(try testMirror.bytes(today, "jpg") == old)
        #expect(try await testMirror.sync()[today] == "unchanged")
        // By the next catalog, too.
        try await testMirror.loseCatalog()
        try await testMirror.sync()
        #expect(try testMirror.bytes(today, "jpg") == old)
        try await testMirror.sync(.days([today]))
        #expect(try testMirror.bytes(today, "jpg") == new)
        try await testMirror.audit()
    }

    @Test("A correction to another day's very picture is not taken by a day that is older than recheck-days")
    func another() async throws {
        let testMirror = try TestMirror(days: 12)
        try await testMirror.sync()
        let (day, other) = (ago(9), ago(10))
        let old = try testMirror.bytes(day, "jpg")
        testMirror.nasa[day]?.seed = UInt64(other.number)
        testMirror.nasa[day]?.file = "Another"
        #expect(try await testMirror.sync(.days([day]))[day] == "kept")
        #expect(try testMirror.bytes(day, "jpg") == old)
    }

    @Test("A correction is seen as long as the day is one of the newest, and costs one question when there is none")
    func recheck() async throws {
        let testMirror = try TestMirror(days: 12) { $0.recheckDays = 3 }
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        let events = try await testMirror.sync()
        #expect(events.words.sorted(by: >) == (0...3).map { "\(ago($0)) unchanged" })
        let last = "&date_from=\(ago(3).compact)&date_to=\(today.compact)"
        #expect(testMirror.questions == ["\(FakeNASA.base)?page=1&per_page=25\(last)"])
        #expect(testMirror.fileRequests == [])
        testMirror.nasa[ago(3)]?.title = "Within"
        testMirror.nasa[ago(4)]?.title = "Without"
        let later = try await testMirror.sync()
        #expect(later.words.filter { $0.hasSuffix("mirrored") } == ["2026-11-17 mirrored"])
    }

    @Test("A correction that only changes the links to the neighbours is none")
    func neighbours() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa.add(Entry(ago(2), title: "New neighbour"))
        testMirror.nasa[ago(1)]?.title = "Another title"
        #expect(try await testMirror.sync()[today] == "unchanged")
    }
}
