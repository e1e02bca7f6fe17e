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

struct MeanwhileTests {
    @Test(
        "A link that is dropped while pictures go saves its picture, though nobody watches", arguments: [false, true])
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
        let went = try await mirror.retention.apply(isAsked: true).days.map(\.day)
        #expect(went == Array(first..<last) && target(of: "\(album)/x") == picture)
        #expect(Facts(picture) != nil)
    }
}
