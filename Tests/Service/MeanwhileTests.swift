import Apod
import Archive
import Files
import Glibc
import Service
import TestSupport
import Testing

/// Something happens whenever it is looked at.
private struct AskedClock: Timekeeping {
    let clock: FakeTime
    let asked: @Sendable () -> Void

    var now: Int {
        asked()
        return clock.now
    }

    var uptime: Uptime { clock.uptime }

    func wait(until moment: Int) async throws(CancellationError) { try await clock.wait(until: moment) }
}

@Suite("A link that is dropped while pictures go")
struct MeanwhileTests {
    @Test("saves its picture, though nobody watches", arguments: [false, true])
    func link(inNewAlbum: Bool) async throws {
        let observatory = try Observatory(days: 60, bytes: 2_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -59)
        }
        try await observatory.fetch()
        observatory.settings.keep = Span("30d")
        let (first, last) = (observatory.ago(59), observatory.ago(31))
        let root = observatory.root
        let name = try #require(observatory.files(last).first { $0.hasSuffix(".jpg") })
        let picture = "\(root)/\(last.folder)/\(name)"
        let album = "\(root)/favorites" + (inNewAlbum ? "/new" : "")
        let firstName = try #require(observatory.files(first).first { $0.hasSuffix(".jpg") })
        // The time is asked for by each of the small portions in which pictures go.
        let clock = AskedClock(clock: observatory.clock) {
            if Facts("\(root)/\(first.folder)/\(firstName)") != nil { return }
            for folder in ["\(root)/favorites", album] { mkdir(folder, 0o755) }
            symlink(picture, "\(album)/x")
        }
        let session = try Session(observatory.settings, version: "1", environment: [:], time: clock)
        let went = try await session.retention.apply().days.map(\.day)
        #expect(went == Array(first..<last) && target(of: "\(album)/x") == picture)
        #expect(Facts(picture) != nil)
    }

    @Test("or while nobody runs, before all of them have gone")
    func whileDown() async throws {
        let observatory = try Observatory(days: 3)
        try await observatory.sync()
        let day = observatory.ago(2)
        let entry = try #require(try observatory.standing(day)?.entry)
        try observatory.archive().catalog.record([.init(Standing(day: day, state: .pruned, entry: entry))])
        try await observatory.close()
        mkdir("\(observatory.root)/favorites", 0o755)
        let link = "\(observatory.root)/favorites/x"
        symlink("../\(day.folder)/\(entry.main)", link)
        try await observatory.session { session async throws in
            #expect(observatory.files(day).count == 2)
            #expect(try await session.retention.apply().days.isEmpty)
            #expect(observatory.files(day).count == 2)
        }
        observatory.settings.keep = Span("1d")
        try await observatory.session { session async throws in
            #expect(try await session.retention.apply().days.isEmpty)
            #expect(observatory.files(day).count == 2)
            unlink(link)
            _ = try await session.retention.apply()
            #expect(observatory.files(day).count == 1)
        }
    }
}
