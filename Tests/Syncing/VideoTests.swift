import Apod
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("A day with a video")
struct VideoTests {
    private let today = TestMirror.today

    private func testMirror(_ media: Entry.Media) async throws -> TestMirror {
        let older = Entry(today.advanced(by: -1), title: "Older", bytes: 2_000)
        let testMirror = try TestMirror([older, Entry(today, media, title: "Night Clouds", bytes: 2_000)])
        try await testMirror.sync()
        testMirror.nasa[today]?.title = "Night Clouds Again"
        testMirror.nasa.server.forgetRequests()
        return testMirror
    }

    /// What the record calls it, in JSON.
    private func called(_ kind: String, _ testMirror: TestMirror) {
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            guard request.path.hasPrefix(FakeNASA.base) else { return nil }
            var response = nasa.usual(request)
            let text = String(decoding: response.body.bytes, as: UTF8.self)
            response.body = Body(
                text.replacing("\"media_type\":\"image\"", with: "\"media_type\":\(kind)")
                    .replacing("\"media_type\":\"other\"", with: "\"media_type\":\(kind)"))
            return response
        }
    }

    private func expectKept(_ testMirror: TestMirror, _ suffix: String, _ before: [UInt8]) async throws {
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, suffix) == before)
        let json = try testMirror.json(today)
        #expect(json["title"]?.string == "Night Clouds Again")
        #expect(json["media_type"]?.string == "video" && json["hdurl"] == nil)
        #expect(json["mirror"]?["files"]?.elements?.map { $0["role"]?.string }.last == "poster")
        #expect(!testMirror.fileRequests.contains { $0.hasSuffix(".mp4") })
        #expect(try await testMirror.sync()[today] == "unchanged")
        testMirror.nasa.intercept = nil
        try await testMirror.audit()
    }

    @Test(
        "keeps it, and takes the new text, when its record comes with an empty block, a still or another site's player",
        arguments: [Entry.Media.picture(.jpg, .hdurl), .picture(.jpg), .youTube(id: "abcdefgh")])
    func video(becomes media: Entry.Media) async throws {
        let testMirror = try await testMirror(.video)
        let video = try testMirror.bytes(today, "mp4")
        testMirror.nasa[today]?.media = media
        try await expectKept(testMirror, "mp4", video)
    }

    @Test(
        "keeps it as long as the record does not call it a picture",
        arguments: [Entry.Media.picture(.png, .hdurl), .picture(.png), .text, .placeholder],
        ["\"video\"", "\"iframe\"", "null", "\"\"", "\"sky\""])
    func called(becomes media: Entry.Media, kind: String) async throws {
        let testMirror = try await testMirror(.video)
        let video = try testMirror.bytes(today, "mp4")
        testMirror.nasa[today]?.media = media
        called(kind, testMirror)
        try await expectKept(testMirror, "mp4", video)
    }

    @Test("keeps it though the settings are for posters by now")
    func settings() async throws {
        let testMirror = try await testMirror(.video)
        let video = try testMirror.bytes(today, "mp4")
        testMirror.settings.videos = .poster
        testMirror.nasa[today]?.media = .picture(.jpg, .hdurl)
        try await expectKept(testMirror, "mp4", video)
    }

    @Test(
        "of another site keeps its page",
        arguments: [
            (Entry.Media.picture(.jpg, .hdurl), "\"image\""), (.picture(.jpg), "null"), (.picture(.png), "\"\""),
            (.text, "null"),
        ])
    func page(becomes media: Entry.Media, kind: String) async throws {
        let testMirror = try await testMirror(.youTube(id: "abcdefgh"))
        testMirror.nasa[today]?.media = media
        called(kind, testMirror)
        #expect(try await testMirror.sync()[today] == "mirrored")
        let page = String(decoding: try testMirror.bytes(today, "html"), as: UTF8.self)
        #expect(page.contains("embed/abcdefgh") && page.contains("Night Clouds Again"))
        testMirror.nasa.intercept = nil
        try await testMirror.audit()
    }

    @Test("takes another video, and a picture of its own")
    func corrected() async throws {
        let testMirror = try await testMirror(.video)
        testMirror.nasa[today]?.file = "Better_261120"
        testMirror.nasa[today]?.seed = 99
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(try testMirror.bytes(today, "mp4") == testMirror.nasa[today]?.files[0].original?.bytes)
        testMirror.nasa[today]?.media = .picture(.gif)
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".gif", "json"])
        try await testMirror.audit()
    }

    @Test("that is damaged is made good, though the record does not show it any more")
    func damaged() async throws {
        let testMirror = try await testMirror(.video)
        let video = try testMirror.bytes(today, "mp4")
        testMirror.nasa[today]?.media = .picture(.jpg, .hdurl)
        // What the upstream has is there still.
        testMirror.nasa.intercept = { $0.path.hasSuffix(".mp4") ? .media(Body(video), type: "video/mp4") : nil }
        try testMirror.put([1, 2, 3], at: "2026/11/2026-11-20 Night Clouds.mp4")
        try await testMirror.sync(.again([today]))
        #expect(try testMirror.bytes(today, "mp4") == video)
        try await testMirror.audit()
    }

    @Test(
        "that is lost, and not to be had any more, is given up for what the record shows",
        arguments: [true, false], [404, 403, 503])
    func lost(isDamaged: Bool, status: Int) async throws {
        let testMirror = try await testMirror(.video)
        testMirror.nasa[today]?.media = .picture(.jpg, .hdurl)
        testMirror.nasa.intercept = { $0.path.hasSuffix(".mp4") ? .html(status) : nil }
        let path = "2026/11/2026-11-20 Night Clouds.mp4"
        if isDamaged { try testMirror.put([1, 2, 3], at: path) } else { unlink("\(testMirror.root)/\(path)") }
        let outcome = try await testMirror.sync(.again([today]))[today]
        if status == 503 { return #expect(outcome == "failed for now") }
        #expect(outcome == "mirrored")
        #expect(testMirror.files(today).map { String($0.suffix(4)) } == [".jpg", "json"])
        #expect(try testMirror.bytes(today, "jpg") == testMirror.nasa[today]?.files[0].original?.bytes)
        #expect(try testMirror.json(today)["media_type"]?.string == "image")
        #expect(try await testMirror.sync()[today] == "unchanged")
        try await testMirror.audit()
    }

    @Test("that is lost, and not to be had any more, leaves nothing of the poster that came without it")
    func lostWithoutPoster() async throws {
        let testMirror = try await testMirror(.video)
        let poster = Body(try testMirror.bytes(today, "jpg"))
        testMirror.nasa[today]?.media = .text
        testMirror.nasa.intercept = { request in
            if request.path.hasSuffix(".mp4") { return .html(404) }
            return request.path.hasSuffix(".jpg") ? .media(poster, type: "image/jpeg") : nil
        }
        for suffix in ["mp4", "jpg"] { unlink("\(testMirror.root)/2026/11/2026-11-20 Night Clouds.\(suffix)") }
        _ = try await testMirror.sync(.again([today]))
        #expect(testMirror.fileRequests.contains { $0.hasSuffix(".jpg") })
        #expect(listing("\(testMirror.root)/.apod-mirror/unfinished") == [])
    }

    @Test("that is whole stays, though it is not to be had any more")
    func whole() async throws {
        let testMirror = try await testMirror(.video)
        let video = try testMirror.bytes(today, "mp4")
        testMirror.nasa[today]?.media = .picture(.jpg, .hdurl)
        testMirror.nasa.intercept = { $0.path.hasSuffix(".mp4") ? .html(404) : nil }
        try await testMirror.sync(.again([today]))
        #expect(try testMirror.bytes(today, "mp4") == video)
        try await testMirror.audit()
    }
}
