import Apod
import Archive
import Service
import TestSupport
import Testing

@Suite("A correction")
struct CorrectionTests {
    private let today = Observatory.today

    private func observatory(_ entry: Entry? = nil) async throws -> Observatory {
        let older = Entry(today.advanced(by: -1), title: "Older", bytes: 2_000)
        let observatory = try Observatory([older, entry ?? Entry(today, title: "Rambutans", bytes: 2_000)])
        try await observatory.sync()
        observatory.nasa.server.forgetRequests()
        return observatory
    }

    @Test("of the title is taken, but names stay")
    func title() async throws {
        let observatory = try await observatory()
        let files = observatory.files(today)
        observatory.nasa[today]?.title = "Kumquats"
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(observatory.files(today) == files)
        #expect(try observatory.json(today)["title"]?.string == "Kumquats")
        #expect(try observatory.archive().catalog.search(["kumquats"], limit: 1).map(\.day) == [today])
        #expect(try observatory.archive().catalog.search(["rambutans"], limit: 1).isEmpty)
        try await observatory.audit()
    }

    @Test("of the explanation is taken")
    func explanation() async throws {
        let observatory = try await observatory()
        observatory.nasa[today]?.explanation = "Quite another story."
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(try observatory.json(today)["explanation"]?.string == "Quite another story.")
        try await observatory.audit()
    }

    @Test(
        "may bring another picture, also under the same address together with another text", arguments: [true, false])
    func picture(isRenamed: Bool) async throws {
        let observatory = try await observatory()
        observatory.nasa[today]?.seed = 99
        if isRenamed { observatory.nasa[today]?.file = "Better_261120" }
        observatory.nasa[today]?.explanation = "With a better picture."
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(try observatory.bytes(today, "jpg") == observatory.nasa[today]?.files[0].original?.bytes)
        try await observatory.audit()
    }

    @Test("to another format replaces the old file, and latest leads to the new one")
    func format() async throws {
        let observatory = try await observatory()
        observatory.nasa[today]?.media = .picture(.png)
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(observatory.files(today).map { String($0.suffix(4)) } == ["json", ".png"])
        #expect(target(of: "\(observatory.root)/latest")?.hasSuffix(".png") == true)
        try await observatory.audit()
    }

    @Test("leaves what somebody has put beside a picture, also under the name that its new file would have")
    func strangers() async throws {
        let observatory = try await observatory()
        try observatory.put([1], at: "2026/11/2026-11-20 Rambutans.tif")
        try observatory.put([2], at: "2026/11/2026-11-20 Rambutans.png")
        observatory.nasa[today]?.media = .picture(.png)
        observatory.nasa[today]?.title = "Kumquats"
        #expect(try await observatory.sync()[today] == "failed")
        let standing = try #require(try observatory.standing(today))
        #expect(standing.reason?.contains("Rambutans.png is not a file of the mirror") == true)
        #expect(standing.entry?.title == "Rambutans")
        #expect(observatory.files(today).map { String($0.suffix(4)) } == [".jpg", "json", ".png", ".tif"])
        #expect(try observatory.bytes(today, "png") == [2])
        observatory.nasa[today]?.media = .picture(.gif)
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(observatory.files(today).map { String($0.suffix(4)) } == [".gif", "json", ".png", ".tif"])
    }

    @Test("from a picture to a video, and back", arguments: [Entry.Media.video, .youTube(id: "abcdefgh")])
    func video(media: Entry.Media) async throws {
        let observatory = try await observatory()
        observatory.nasa[today]?.media = media
        #expect(try await observatory.sync()[today] == "mirrored")
        try await observatory.audit()
        observatory.nasa[today]?.media = .picture(.gif)
        #expect(try await observatory.sync()[today] == "mirrored")
        #expect(observatory.files(today).map { String($0.suffix(4)) } == [".gif", "json"])
        try await observatory.audit()
    }

    @Test("to a video whose poster cannot be had keeps the picture as its poster")
    func posterless() async throws {
        let observatory = try Observatory([Entry(today, title: "Alone")])
        try await observatory.sync()
        observatory.nasa[today]?.media = .youTube(id: "abcdefgh")
        observatory.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(404) : nil }
        try await observatory.sync()
        #expect(observatory.files(today).map { String($0.suffix(4)) } == ["html", ".jpg", "json"])
        try await observatory.audit()
    }

    @Test("is seen as long as the day is one of the newest, and costs one question when there is none")
    func recheck() async throws {
        let observatory = try Observatory(days: 12) { $0.recheckDays = 3 }
        try await observatory.sync()
        observatory.nasa.server.forgetRequests()
        let events = try await observatory.sync()
        #expect(events.words.sorted(by: >) == (0...3).map { "\(today.advanced(by: -$0)) unchanged" })
        #expect(observatory.questions.count == 1)
        #expect(observatory.fileRequests == [])
        observatory.nasa[today.advanced(by: -3)]?.title = "Within"
        observatory.nasa[today.advanced(by: -4)]?.title = "Without"
        let later = try await observatory.sync()
        #expect(later.words.filter { $0.hasSuffix("mirrored") } == ["2026-11-17 mirrored"])
    }

    @Test("that only changes the links to the neighbours is none")
    func neighbours() async throws {
        let observatory = try await observatory()
        observatory.nasa.add(Entry(today.advanced(by: -2), title: "New neighbour"))
        observatory.nasa[today.advanced(by: -1)]?.title = "Another title"
        #expect(try await observatory.sync()[today] == "unchanged")
    }

    @Test("of a title never takes the poster away when that cannot be had any more", arguments: [404, 503])
    func poster(status: Int) async throws {
        let observatory = try await observatory(Entry(today, .video, title: "Night Clouds", bytes: 2_000))
        let poster = try observatory.bytes(today, "jpg")
        observatory.nasa[today]?.title = "Night Clouds Again"
        observatory.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(status) : nil }
        try await observatory.sync()
        #expect(try observatory.bytes(today, "jpg") == poster)
        #expect(try observatory.json(today)["title"]?.string == "Night Clouds Again")
        observatory.nasa.intercept = nil
        try await observatory.sync()
        try await observatory.audit(brokeOff: status == 503)
    }
}
