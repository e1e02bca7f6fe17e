import Apod
import Archive
import Catalog
import Configuration
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite("What is larger than max-file")
struct MaxFileTests {
    /// How often for an original, without the questions whether the server has another by now.
    private func asked(_ testMirror: TestMirror) -> Int {
        testMirror.nasa.requests.count { $0.path.hasPrefix(Entry.originals) && $0.headers["if-none-match"] == nil }
    }

    /// What a dry run says.
    private func previewed(_ testMirror: TestMirror) throws -> [Day] {
        let catalog = try Archive.catalogToRead(root: testMirror.root)
        let clock = testMirror.clock
        return try SyncPreview(testMirror.settings, catalog, at: clock.now).missing
    }

    @Test("is fetched when that has grown, as soon as anything is, and not before")
    func grown() async throws {
        let (picture, video) = (TestMirror.today.advanced(by: -5), TestMirror.today.advanced(by: -6))
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
        for size in [10_000, 9_000] {
            testMirror.settings.maxFile = size
            #expect(try previewed(testMirror).isEmpty, "\(size)")
            #expect(try await testMirror.fetch().isEmpty && asked(testMirror) == before, "\(size)")
        }
        testMirror.settings.maxFile = 20_000
        #expect(try previewed(testMirror) == [video, picture])
        #expect(try await testMirror.fetch() == [video, picture])
        for day in [picture, video] { #expect(try testMirror.status(day)?.state == .mirrored) }
        try await testMirror.close()
        let after = asked(testMirror)
        testMirror.settings.maxFile = 30_000
        #expect(try await testMirror.fetch().isEmpty && asked(testMirror) == after)
        try await testMirror.audit()
    }
}
