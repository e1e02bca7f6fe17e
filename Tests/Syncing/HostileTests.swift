import Apod
import Archive
import Catalog
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("A hostile upstream")
struct HostileTests {
    private static let today = TestMirror.today
    private let today = Self.today

    /// Whatever is in the folder around the tree was not put there by a test of this suite.
    private func expectNothingOutside(_ testMirror: TestMirror) {
        #expect(listing(testMirror.folder.path).allSatisfy { $0.hasPrefix("APOD/") })
        #expect(testMirror.tree.allSatisfy { ["2026/", "lates"].contains(String($0.prefix(5))) })
    }

    @Test(
        "cannot name a file outside the tree, or one that is no good name",
        arguments: [
            "../../../etc/cron.d/x", "/etc/passwd", "..", ".", "...", "", " ", "a\u{0}b", "a\nb\tc", "\u{202e}gpj.exe",
            "\u{2066}x\u{2069}", "~/.profile", "$(reboot)", "-rf *", "CON", "a. . .", "\\\\host\\share", "con:stream",
            "\u{feff}\u{200b}", "e\u{301}\u{301}", "😀👩‍👩‍👧‍👧", String(repeating: "星", count: 1400),
            String(repeating: "a\u{301}", count: 4000), "<img src=x onerror=alert(1)>", "&amp;amp;lt;b&amp;gt;",
        ])
    func titles(title: String) async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: title, bytes: 2_000)])
        #expect(try await testMirror.sync()[today] == "mirrored")
        let files = testMirror.files(today)
        #expect(files.count == 3)
        for file in files {
            #expect(file.utf8.count <= 255)
            #expect(!file.unicodeScalars.contains { $0.value < 32 || "<>:\"/\\|?*".unicodeScalars.contains($0) })
            #expect(![" .", ".."].contains { file.contains("\($0)\(file.suffix(3))") || file.contains("\($0)json") })
        }
        expectNothingOutside(testMirror)
        try await testMirror.audit()
        try await testMirror.close()
        for suffix in ["", "-wal", "-shm"] { unlink("\(testMirror.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        #expect(try testMirror.archive().catalog.storedDays().map(\.state) == [.mirrored])
        try await testMirror.audit()
    }

    @Test(
        "cannot have a day of another date, or none, put in the place of the one asked for",
        arguments: ["../../etc/cron.d/x", "2026-11-19", "", "99999999-01-01", "../2026-11-20"])
    func date(date: String) async throws {
        let testMirror = try TestMirror(days: 1)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            guard request.path.hasPrefix(FakeNASA.base) else {
                return request.path.hasPrefix("/feed") ? .html(404) : nil
            }
            var response = nasa.usual(request)
            let text = String(decoding: response.body.bytes, as: UTF8.self)
            let new = String(decoding: JSON.string(date).compact, as: UTF8.self)
            response.body = Body(text.replacing("\"date\":\"2026-11-20\"", with: "\"date\":\(new)"))
            return response
        }
        // What has no date at all is no record: the service may have another one soon.
        let fate = date.isEmpty ? "failed for now" : "failed"
        #expect(try await testMirror.sync(.days([today])).words == ["2026-11-20 \(fate)"])
        #expect(testMirror.tree == [])
        expectNothingOutside(testMirror)
    }

    @Test(
        "cannot send the mirror where it must not go",
        arguments: [
            "file:///etc/passwd", "http://169.254.169.254/latest/meta-data", "http://[fe80::1]/x.jpg",
            "http://10.0.0.1/x.jpg", "ftp://127.0.0.1/x.jpg", "gopher://127.0.0.1/", "/content/loop.jpg", "",
        ])
    func redirect(location: String) async throws {
        let testMirror = try TestMirror(days: 1)
        testMirror.nasa.intercept = {
            $0.path.hasPrefix("/content") || $0.path.hasPrefix("/dynamic") ? .redirect(to: location) : nil
        }
        #expect(try await testMirror.sync()[today] == "failed")
        #expect(testMirror.files(today).map { String($0.suffix(5)) } == [".json"])
        #expect(try testMirror.status(today)?.failure?.words.isEmpty == false)
        try await testMirror.audit()
    }

    @Test(
        "cannot have records fetched from where they must not come",
        arguments: ["file:///etc/passwd", "http://169.254.169.254/"])
    func recordRedirect(location: String) async throws {
        let testMirror = try TestMirror(days: 1)
        testMirror.nasa.intercept = { $0.path.hasPrefix("/content") ? nil : .redirect(to: location) }
        let (events, error) = try await testMirror.attempt()
        #expect(error == nil)
        #expect(events.words.count == 1)
        #expect(testMirror.tree == [])
    }

    @Test(
        "cannot fill the disk with a picture that grows: the text is kept and the reason told",
        arguments: [true, false])
    func growing(isDeclared: Bool) async throws {
        let testMirror = try TestMirror(days: 2) { $0.maxFile = 50_000 }
        let name = testMirror.nasa[today]!.file
        testMirror.nasa.intercept = { request in
            guard request.path.contains(name) else { return nil }
            var response = Response.media(Pictures.jpeg(bytes: 300_000_000), type: "image/jpeg")
            if !isDeclared { response.framing = .chunked }
            return response
        }
        let events = try await testMirror.sync()
        #expect(events[today] == "failed")
        #expect(events[today.advanced(by: -1)] == "mirrored")
        #expect(try testMirror.status(today)?.failure?.words.contains("larger than the 50.0 KB allowed") == true)
        #expect(try testMirror.json(today)["explanation"]?.string?.isEmpty == false)
        try await testMirror.audit()
        testMirror.settings.maxFile = 400_000_000
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync()[today] == "mirrored")
        try await testMirror.audit()
    }

    @Test("has a video without its poster: nothing is missed", arguments: [404, 200])
    func poster(status: Int) async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: "Night Clouds", bytes: 2_000)])
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(status) : nil }
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.files(today) == ["2026-11-20 Night Clouds.json", "2026-11-20 Night Clouds.mp4"])
        #expect(target(of: "\(testMirror.root)/latest") == nil)
        try await testMirror.audit()
    }

    @Test("has a video whose poster cannot be had now: it comes with the next sync")
    func latePoster() async throws {
        let testMirror = try TestMirror([Entry(today, .video, title: "Night Clouds", bytes: 2_000)])
        testMirror.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(503) : nil }
        let events = try await testMirror.sync()
        #expect(events[today] == "failed for now")
        #expect(events.compactMap(\.why).first?.hasPrefix("the server answered 503: ") == true)
        testMirror.nasa.intercept = nil
        testMirror.nasa.server.forgetRequests()
        #expect(try await testMirror.sync()[today] == "mirrored")
        #expect(testMirror.fileRequests.allSatisfy { $0.hasSuffix(".jpg") })
        try await testMirror.audit()
    }
}
