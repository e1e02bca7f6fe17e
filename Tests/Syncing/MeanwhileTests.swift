import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing

/// Something happens whenever it is looked at.
private struct AskedClock: WallClock {
    let clock: FakeClock
    let asked: @Sendable () -> Void

    var now: Int {
        asked()
        return clock.now
    }

    func wait(until moment: Int) async throws(CancellationError) { try await clock.wait(until: moment) }
}

@Suite("A link that is dropped while pictures go")
struct MeanwhileTests {
    @Test("saves its picture, though nobody watches", arguments: [false, true])
    func link(inNewAlbum: Bool) async throws {
        let testMirror = try await TestMirror.fetched(days: 60)
        testMirror.settings.keep = Span("30d")
        let (first, last) = (ago(59), ago(31))
        let root = testMirror.root
        func path(_ day: Day) throws -> String {
            let name = try #require(testMirror.files(day).first { $0.hasSuffix(".jpg") })
            return "\(root)/\(day.folder)/\(name)"
        }
        let (gone, picture) = (try path(first), try path(last))
        let album = "\(root)/favorites" + (inNewAlbum ? "/new" : "")
        // The time is asked for by each of the small portions in which pictures go.
        let clock = AskedClock(clock: testMirror.clock) {
            if Facts(gone) != nil { return }
            for folder in ["\(root)/favorites", album] { mkdir(folder, 0o755) }
            symlink(picture, "\(album)/x")
        }
        let mirror = try OpenMirror(testMirror.settings, version: "1", environment: [:], time: clock)
        let went = try await mirror.retention.apply().days.map(\.day)
        #expect(went == Array(first..<last) && target(of: "\(album)/x") == picture)
        #expect(Facts(picture) != nil)
    }

    @Test("or while nobody runs, before all of them have gone")
    func whileDown() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        let day = ago(2)
        let stored = try #require(try testMirror.status(day)?.stored)
        try testMirror.catalog.record([.init(DayStatus(day: day, state: .pruned, stored: stored))])
        try await testMirror.close()
        mkdir(testMirror["favorites"], 0o755)
        let link = testMirror["favorites/x"]
        symlink("../\(day.folder)/\(stored.main)", link)
        try await testMirror.mirror { mirror async throws in
            #expect(testMirror.files(day).count == 2)
            #expect(try await mirror.retention.apply().days.isEmpty)
            #expect(testMirror.files(day).count == 2)
        }
        testMirror.settings.keep = Span("1d")
        try await testMirror.mirror { mirror async throws in
            #expect(try await mirror.retention.apply().days.isEmpty)
            #expect(testMirror.files(day).count == 2)
            unlink(link)
            _ = try await mirror.retention.apply()
            #expect(testMirror.files(day).count == 1)
        }
    }
}
