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

    private func testMirror(_ entry: Entry? = nil) async throws -> TestMirror {
        let older = Entry(today.advanced(by: -1), title: "Older", bytes: 2_000)
        let testMirror = try TestMirror([older, entry ?? Entry(today, title: "Rambutans", bytes: 2_000)])
        try await testMirror.sync()
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    @Test("of the title is taken, but names stay")
    func title() async throws {
        let testMirror = try await testMirror()
        let files = testMirror.files(today)
        testMirror.nasa[today]?.title = "Kumquats"
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today) == files)
        #expect(try testMirror.json(today)["title"]?.string == "Kumquats")
        #expect(try testMirror.archive().catalog.search(["kumquats"], limit: 1).map(\.day) == [today])
        #expect(try testMirror.archive().catalog.search(["rambutans"], limit: 1).isEmpty)
        try await testMirror.audit()
    }

    @Test("of the explanation is taken")
    func explanation() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.explanation = "Quite another story."
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.json(today)["explanation"]?.string == "Quite another story.")
        try await testMirror.audit()
    }

    @Test(
        "may bring another picture, also under the same address together with another text", arguments: [true, false])
    func picture(isRenamed: Bool) async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.seed = 99
        if isRenamed { testMirror.nasa[today]?.file = "Better_261120" }
        testMirror.nasa[today]?.explanation = "With a better picture."
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") == testMirror.nasa[today]?.files[0].original?.bytes)
        try await testMirror.audit()
    }

    @Test("to another format replaces the old file, which is kept, and latest leads to the new one")
    func format() async throws {
        let testMirror = try await testMirror()
        let old = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.media = .picture(.png)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == ["json", ".png"])
        #expect(target(of: "\(testMirror.root)/latest")?.hasSuffix(".png") == true)
        #expect(try testMirror.bytes(".apod-mirror/replaced/2026-11-20 Rambutans.1.jpg") == old)
        try await testMirror.audit()
    }

    @Test("leaves what somebody has put beside a picture, also under the name that its new file would have")
    func strangers() async throws {
        let testMirror = try await testMirror()
        try testMirror.put([1], at: "2026/11/2026-11-20 Rambutans.tif")
        try testMirror.put([2], at: "2026/11/2026-11-20 Rambutans.png")
        testMirror.nasa[today]?.media = .picture(.png)
        testMirror.nasa[today]?.title = "Kumquats"
        #expect(try await testMirror.sync()[today] == "failed")
        let status = try #require(try testMirror.status(today))
        #expect(status.failure?.words.contains("Rambutans.png is not a file of the mirror") == true)
        #expect(status.stored?.title == "Rambutans")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".jpg", "json", ".png", ".tif"])
        #expect(try testMirror.bytes(today, "png") == [2])
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".gif", "json", ".png", ".tif"])
    }

    @Test("from a picture to a video, and back, loses nothing", arguments: ["mp4", "html"])
    func video(suffix: String) async throws {
        let testMirror = try await testMirror()
        let picture = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.media = suffix == "mp4" ? .video : .youTube(id: "abcdefgh")
        #expect(try await testMirror.sync()[today] == "mirrored")
        // The picture that is here stays, and no still is fetched.
        #expect(try testMirror.bytes(today, "jpg") == picture)
        #expect(testMirror.fileRequests.filter { $0.hasSuffix(".jpg") } == [])
        #expect(try testMirror.json(today)["media_type"]?.string == "video")
        try await testMirror.audit()
        let video = try testMirror.bytes(today, suffix)
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        let former = suffix == "mp4" ? ["gif", "json", "mp4"] : ["gif", "json"]
        #expect(testMirror.files(today).map { String($0.split(separator: ".").last!) } == former)
        #expect(try testMirror.json(today)["media_type"]?.string == "image")
        let replaced = ".apod-mirror/replaced/2026-11-20 Rambutans.1"
        #expect(try testMirror.bytes("\(replaced).jpg") == picture)
        if suffix == "mp4" {
            #expect(try testMirror.bytes(today, "mp4") == video)
            let files = try #require(try testMirror.json(today)["mirror"]?["files"]?.elements)
            #expect(files.map { $0["former"]?.bool } == [nil, true])
        } else {
            #expect(try testMirror.bytes("\(replaced).html") == video)
        }
        #expect(try await testMirror.sync()[today] == "unchanged")
        try await testMirror.audit()
    }

    @Test("of a text alone leaves the picture the same file, with what others have noted on it")
    func inode() async throws {
        let testMirror = try await testMirror()
        let before = try #require(Facts("\(testMirror.root)/2026/11/2026-11-20 Rambutans.jpg"))
        testMirror.nasa[today]?.explanation = "Quite another story."
        try await testMirror.sync(.days([today]))
        // The same bytes from elsewhere.
        testMirror.nasa[today]?.file = "Renamed_261120"
        #expect(try await testMirror.sync()[today] == "mirrored")
        let after = try #require(Facts("\(testMirror.root)/2026/11/2026-11-20 Rambutans.jpg"))
        #expect(before.inode == after.inode && before.modified == after.modified)
        #expect(try testMirror.json(today)["url"]?.string?.contains("Renamed_261120") == true)
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
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(503) : nil }
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
        try await testMirror.close()
        for suffix in ["", "-wal", "-shm"] { unlink("\(testMirror.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        #expect(try await asks())
        testMirror.clock.pass(days: 30)
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "jpg") != old)
        #expect(try testMirror.json(today)["mirror"]?["incomplete"] == nil)
        try await testMirror.audit()
    }

    @Test("that a person reverts stays away, but for other files, new texts, and when asked for")
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
        testMirror.nasa[today]?.title = "Kumquats"
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.json(today)["title"]?.string == "Kumquats")
        #expect(try testMirror.bytes(today, "jpg") == old)
        // By the next catalog, too.
        try await testMirror.close()
        for suffix in ["", "-wal", "-shm"] { unlink("\(testMirror.root)/.apod-mirror/catalog.sqlite\(suffix)") }
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
            let (day, other) = (today.advanced(by: -age), today.advanced(by: -age - 1))
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
        #expect(events.words.sorted(by: >) == (0...3).map { "\(today.advanced(by: -$0)) unchanged" })
        #expect(testMirror.questions.count == 1)
        #expect(testMirror.fileRequests == [])
        testMirror.nasa[today.advanced(by: -3)]?.title = "Within"
        testMirror.nasa[today.advanced(by: -4)]?.title = "Without"
        let later = try await testMirror.sync()
        #expect(later.words.filter { $0.hasSuffix("mirrored") } == ["2026-11-17 mirrored"])
    }

    @Test("that only changes the links to the neighbours is none")
    func neighbours() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa.add(Entry(today.advanced(by: -2), title: "New neighbour"))
        testMirror.nasa[today.advanced(by: -1)]?.title = "Another title"
        #expect(try await testMirror.sync()[today] == "unchanged")
    }

    @Test("of a title never takes the poster away when that cannot be had any more", arguments: [404, 503])
    func poster(status: Int) async throws {
        let testMirror = try await testMirror(Entry(today, .video, title: "Night Clouds", bytes: 2_000))
        let poster = try testMirror.bytes(today, "jpg")
        testMirror.nasa[today]?.title = "Night Clouds Again"
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(status) : nil }
        try await testMirror.sync()
        #expect(try testMirror.bytes(today, "jpg") == poster)
        #expect(try testMirror.json(today)["title"]?.string == "Night Clouds Again")
        testMirror.nasa.intercept = nil
        try await testMirror.sync()
        try await testMirror.audit(brokeOff: status == 503)
    }
}
