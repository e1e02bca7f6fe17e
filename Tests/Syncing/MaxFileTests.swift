import Apod
import Configuration
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct MaxFileTests {
    /// How often for an original, without the questions whether the server has another by now.
    private func asked(_ testMirror: TestMirror) -> Int {
        testMirror.nasa.requests.count { $0.path.hasPrefix(Entry.originals) && $0.headers["if-none-match"] == nil }
    }

    @Test(
        "What is larger than max-file comes after that has grown: at once by name, else after its pause",
        arguments: [true, false])
    func grown(isNamed: Bool) async throws {
        let (picture, video) = (ago(5), ago(6))
        let entries = [Entry(video, .video), Entry(picture), Entry(TestMirror.today, bytes: 2_000)]
        let testMirror = try TestMirror(entries) { settings in
            settings.since = video
            settings.maxFile = 10_000
        }
        for _ in 1...4 { try await testMirror.fetch() }
        #expect(try testMirror.status(picture)?.state == .downgraded)
        #expect(try testMirror.status(video)?.state == .failed)
        try await testMirror.close()
        let before = asked(testMirror)
        testMirror.settings.maxFile = 20_000
        #expect(try await testMirror.fetch().isEmpty && asked(testMirror) == before)
        if isNamed {
            try await testMirror.mirror { mirror in
                for try await _ in mirror.refresh().running(.days([picture, video])) {}
            }
        } else {
            testMirror.clock.pass(days: 1)
            #expect(try await testMirror.fetch() == [video, picture])
        }
        for day in [picture, video] { #expect(try testMirror.status(day)?.state == .mirrored) }
        try await testMirror.audit()
    }
}
