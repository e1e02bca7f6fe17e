import Apod
import Archive
import Catalog
import Configuration
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

    @Test("to another format replaces the old file, and latest leads to the new one")
    func format() async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.media = .picture(.png)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == ["json", ".png"])
        #expect(target(of: "\(testMirror.root)/latest")?.hasSuffix(".png") == true)
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
        #expect(status.reason?.contains("Rambutans.png is not a file of the mirror") == true)
        #expect(status.stored?.title == "Rambutans")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".jpg", "json", ".png", ".tif"])
        #expect(try testMirror.bytes(today, "png") == [2])
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".gif", "json", ".png", ".tif"])
    }

    @Test("from a picture to a video, and back", arguments: [Entry.Media.video, .youTube(id: "abcdefgh")])
    func video(media: Entry.Media) async throws {
        let testMirror = try await testMirror()
        testMirror.nasa[today]?.media = media
        #expect(try await testMirror.sync()[today] == "mirrored")
        try await testMirror.audit()
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".gif", "json"])
        try await testMirror.audit()
    }

    @Test("to a video whose poster cannot be had keeps the picture as its poster")
    func posterless() async throws {
        let testMirror = try TestMirror([Entry(today, title: "Alone")])
        try await testMirror.sync()
        testMirror.nasa[today]?.media = .youTube(id: "abcdefgh")
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await testMirror.sync()
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == ["html", ".jpg", "json"])
        try await testMirror.audit()
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
