import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("A correction")
struct CorrectionTests {
    private let today = TestMirror.today

    private func testMirror() async throws -> TestMirror {
        let older = Entry(ago(1), title: "Older", bytes: 2_000)
        let testMirror = try TestMirror([older, Entry(today, title: "Rambutans", bytes: 2_000)])
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    @Test("of texts is taken, but names stay, and the picture stays the same file, with what others have noted on it")
    func texts() async throws {
        let testMirror = try await testMirror()
        func facts() throws -> Facts {
            try #require(Facts(testMirror["2026/11/2026-11-20 Rambutans.jpg"]))
        }
        let (files, before) = (testMirror.files(today), try facts())
        testMirror.nasa[today]?.title = "Kumquats"
        testMirror.nasa[today]?.explanation = "Quite another story."
        #expect(try await testMirror.sync(.days([today]))[today] == "mirrored")
        // The same bytes from elsewhere.
        testMirror.nasa[today]?.file = "Renamed_261120"
        #expect(try await testMirror.sync()[today] == "mirrored")
        let (after, json) = (try facts(), try testMirror.json(today))
        #expect(before.inode == after.inode && before.modified == after.modified)
        #expect(testMirror.files(today) == files)
        #expect(json["title"]?.string == "Kumquats" && json["explanation"]?.string == "Quite another story.")
        #expect(json["url"]?.string?.contains("Renamed_261120") == true)
        #expect(try testMirror.catalog.search(["kumquats"], limit: 1).map(\.day) == [today])
        #expect(try testMirror.catalog.search(["rambutans"], limit: 1).isEmpty)
        try await testMirror.audit()
    }

    @Test("from a picture to a video, and back, loses nothing")
    func video() async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.media = .video
        #expect(try await testMirror.sync()[today] == "mirrored")
        // The picture that is here stays, and no still is fetched.
        #expect(try testMirror.bytes(today, "jpg") == picture)
        #expect(testMirror.fileRequests.filter { $0.hasSuffix(".jpg") } == [])
        #expect(try testMirror.json(today)["media_type"]?.string == "video")
        try await testMirror.audit()
        let video = try testMirror.bytes(today, "mp4")
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".gif", "json", ".mp4"])
        let json = try testMirror.json(today)
        #expect(json["media_type"]?.string == "image")
        #expect(target(of: testMirror["latest"])?.hasSuffix(".gif") == true)
        #expect(json["mirror"]?["files"]?.elements?.map { $0["former"]?.bool } == [nil, true])
        #expect(try testMirror.bytes(".apod-mirror/replaced/2026-11-20 Rambutans.1.jpg") == picture)
        #expect(try testMirror.bytes(today, "mp4") == video)
        #expect(try await testMirror.sync()[today] == "unchanged")
        try await testMirror.audit()
    }

    @Test("under the same address is seen without its record, and only asked for where nothing has changed")
    func sameAddress() async throws {
        let testMirror = try await testMirror()
        #expect(try await testMirror.sync()[today] == "unchanged")
        #expect(testMirror.fileRequests == [])
        testMirror.nasa[today]?.seed = 99
        #expect(try await testMirror.sync().words.contains("2026-11-20 replaced"))
        #expect(try testMirror.bytes(today, "jpg") == testMirror.nasa[today]?.files[0].original?.bytes)
        try await testMirror.audit()
    }

    @Test("that cannot be had for a week is remembered, asked for with growing pauses, and comes")
    func awaited() async throws {
        let testMirror = try await testMirror()
        let old = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.file = "Better_261120"
        testMirror.nasa[today]?.seed = 99
        testMirror.nasa.answer(".jpg", .html(503))
        func asks(_ request: RefreshRequest? = nil) async throws -> Bool {
            testMirror.nasa.server.forgetRequests()
            try await testMirror.sync(request)
            #expect(try testMirror.bytes(today, "jpg") == old)
            return testMirror.fileRequests.contains { $0.contains("Better") }
        }
        testMirror.clock.pass(days: 3)
        for _ in 1...3 { #expect(try await asks()) }
        #expect(try await asks() == false)
        #expect(try await asks(.days([today])))
        #expect(try testMirror.status(today)?.state == .failed)
        #expect(try testMirror.json(today)["mirror"]?["incomplete"]?["reason"]?.string?.contains("503") == true)
        testMirror.clock.pass(days: 1)
        #expect(try await asks())
        // After a rebuild, at once.
        try await testMirror.loseCatalog()
        #expect(try await asks())
        testMirror.clock.pass(days: 30)
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") != old)
        #expect(try testMirror.json(today)["mirror"]?["incomplete"] == nil)
        try await testMirror.audit()
    }

    @Test("that a person reverts stays away until it is asked for")
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

    @Test("to another day's very picture is taken of late, and not by a day that is older than recheck-days")
    func another() async throws {
        for age in [1, 9] {
            let testMirror = try TestMirror(days: 12)
            try await testMirror.sync()
            let (day, other) = (ago(age), ago(age + 1))
            let (old, others) = (try testMirror.bytes(day, "jpg"), try testMirror.bytes(other, "jpg"))
            testMirror.nasa[day]?.seed = UInt64(other.number)
            testMirror.nasa[day]?.file = "Another"
            let expected = age == 1 ? "mirrored" : "kept"
            #expect(try await testMirror.sync(.days([day]))[day] == expected)
            #expect(try testMirror.bytes(day, "jpg") == (age == 1 ? others : old))
            #expect(try await testMirror.sync()[day] != "kept")
            try await testMirror.audit()
        }
    }

    @Test("is seen as long as the day is one of the newest, and costs one question when there is none")
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

    @Test("that only changes the links to the neighbours is none")
    func neighbours() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa.add(Entry(ago(2), title: "New neighbour"))
        testMirror.nasa[ago(1)]?.title = "Another title"
        #expect(try await testMirror.sync()[today] == "unchanged")
    }
}
