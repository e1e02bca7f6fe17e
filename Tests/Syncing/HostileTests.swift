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
            "../../../etc/cron.d/x", "..", "", "a\u{0}b", "\u{202e}gpj.exe", "$(reboot)", "a. . .", "\\\\host\\share",
            "e\u{301}\u{301}", String(repeating: "a\u{301}", count: 4000), "<img src=x onerror=alert(1)>",
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
        try await testMirror.loseCatalog()
        #expect(try testMirror.catalog.storedDays().map(\.state) == [.mirrored])
        try await testMirror.audit()
    }

    @Test(
        "cannot have a day of another date, or none, put in the place of the one asked for",
        arguments: ["../../etc/cron.d/x", "2026-11-19", ""])
    func date(date: String) async throws {
        let testMirror = try TestMirror(days: 1)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            guard request.path.hasPrefix(FakeNASA.base) else {
                return request.path.hasPrefix("/feed") ? .html(404) : nil
            }
            var response = nasa.usual(request)
            let text = String(decoding: response.body.bytes, as: UTF8.self)
            let new = JSON.string(date).line
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
        arguments: ["file:///etc/passwd", "http://169.254.169.254/latest/meta-data", "/content/loop.jpg", ""])
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

    @Test("cannot fill the disk with a picture that grows: the text is kept and the reason told")
    func growing() async throws {
        let testMirror = try TestMirror(days: 2) { $0.maxFile = 50_000 }
        let name = testMirror.nasa[today]!.file
        testMirror.nasa.intercept = { request in
            guard request.path.contains(name) else { return nil }
            var response = Response.media(Pictures.jpeg(bytes: 300_000_000), type: "image/jpeg")
            response.framing = .chunked
            return response
        }
        let events = try await testMirror.sync()
        #expect(events[today] == "failed")
        #expect(events[ago(1)] == "mirrored")
        #expect(try testMirror.status(today)?.failure?.words.contains("`max-file` allows (50.0 KB)") == true)
        #expect(try testMirror.json(today)["explanation"]?.string?.isEmpty == false)
        try await testMirror.audit()
        testMirror.settings.maxFile = 400_000_000
        testMirror.nasa.intercept = nil
        #expect(try await testMirror.sync()[today] == "mirrored")
        try await testMirror.audit()
    }
}
