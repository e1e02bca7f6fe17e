import Apod
import Configuration
import Glibc
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Service

@Suite(.patience)
struct GalleryUpdatesTests {
    private let today = TestService.today

    private func text(_ testService: TestService, _ name: String) -> String {
        (try? fileText(testService[name])) ?? ""
    }

    /// Has a job done that changes nothing.
    private func finish(_ mirror: OpenMirror) async throws {
        try await OwnService(mirror, words: \.words) { _ in }.run(.prune())
    }

    @Test("The gallery of a service has what a refresh brought, and favorites as they come and go")
    func updates() async throws {
        let testService = try TestService(days: 3) { $0.gallery = .yes }
        testService.start()
        try await testService.eventually { text(testService, "gallery/data/2026.js").contains("\"\(today)\"") }
        try await testService.eventually { text(testService, "index.html").contains("data-days") }
        #expect(text(testService, "feed.xml").contains("index.html#\(today)"))
        let link = testService["favorites/x"]
        symlink("\(today)", link)
        try await testService.eventually { text(testService, "gallery/data/favorites.js").contains("\"\(today)\"") }
        let other = ago(1)
        unlink(link)
        symlink("\(other)", testService["favorites/y"])
        try await testService.eventually {
            let favorites = text(testService, "gallery/data/favorites.js")
            return favorites.contains("\"\(other)\"") && !favorites.contains("\"\(today)\"")
        }
        await testService.stop()
    }

    @Test(
        "A gallery is looked at as a whole until that is finished with each day read and none changed since",
        arguments: ["finished", "begun", "unread"])
    func unfinished(end: String) async throws {
        // Without the wait for the disk.
        let testMirror = try TestMirror(days: 1) { $0.thumbnails = .no }
        try await testMirror.sync()
        try await testMirror.close()
        try await testMirror.mirror { mirror in
            let gallery = MirrorGallery(mirror)
            #expect(try !gallery.isUpToDate())
            let json = testMirror.tree.first { $0.hasSuffix("json") && $0.contains("\(today)") }
            if end == "unread" { try testMirror.put([], at: #require(json)) }
            if end == "begun" { try gallery.update(nil) } else { try await finish(mirror) }
            #expect(try gallery.isUpToDate() == (end == "finished"))
            try await mirror.archive.record(Item(.day(ago(5)), .absent))
            #expect(try !gallery.isUpToDate())
        }
    }

    @Test(
        "A gallery is looked at as a whole by other settings, and without its page or script",
        arguments: [
            { $0.keep = Span("3y") }, { $0.maxTotal = 1 << 30 }, { $0.since = Day("2020-01-01") },
            { $0.sidecars = .yes }, { unlink("\($0.root)/index.html") }, { unlink("\($0.root)/gallery/gallery.js") },
        ] as [@Sendable (inout Settings) -> Void])
    func otherSettings(change: @Sendable (inout Settings) -> Void) async throws {
        let testMirror = try TestMirror(days: 1) { $0.thumbnails = .no }
        try await testMirror.sync()
        for isChanged in [false, true] {
            try await testMirror.close()
            if isChanged { change(&testMirror.settings) }
            try await testMirror.mirror { mirror in
                let gallery = MirrorGallery(mirror)
                #expect(try !gallery.isUpToDate())
                try await finish(mirror)
                #expect(try gallery.isUpToDate())
            }
        }
    }
}
