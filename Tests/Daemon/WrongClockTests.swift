import Apod
import Archive
import Catalog
import Configuration
import Control
import Daemon
import Favorites
import Glibc
import Syncing
import TestMirror
import TestSupport
import Testing
import Watching

@Suite("A clock that is wrong", .serialized)
struct WrongClockTests {
    private static let today = TestMirror.today
    /// 1970, 1994, the day before the first one, that day, the year behind the last one, 10000 and far beyond.
    private static let moments = [
        0, 757_382_400, 803_174_400, 803_260_800, 3_976_214_400, 253_402_300_800, 1 << 40,
    ]

    @Test("stops nothing: a new mirror", arguments: moments)
    func new(moment: Int) async throws {
        let testMirror = try TestMirror(days: 3)
        testMirror.clock.set(moment)
        try await Self.useAll(testMirror)
    }

    @Test("stops nothing: a mirror that was made by a right one", arguments: moments)
    func old(moment: Int) async throws {
        let testMirror = try TestMirror(days: 3) { $0.keep = Span("20d") }
        try await testMirror.sync()
        let before = testMirror.tree
        testMirror.clock.set(moment)
        try await Self.useAll(testMirror)
        #expect(testMirror.tree.filter { $0 != "favorites/" } == before)
        testMirror.clock.set(Self.today.noon)
        let tomorrow = Self.today.advanced(by: 1)
        testMirror.nasa.add(Entry(tomorrow, bytes: 2_000))
        testMirror.clock.pass(days: 1)
        #expect(try await testMirror.sync()[tomorrow] == "mirrored")
    }

    private static func useAll(_ testMirror: TestMirror) async throws {
        let now = testMirror.clock.now
        let today = Day(utc: now)
        #expect(Time.seconds(Time.text(now)) != nil)
        let lately = today.advanced(by: -30)...today
        for wish in [RefreshRequest.missing(lately), .gaps(lately), .days([today, Day.first])] {
            _ = try await testMirror.attempt(wish)
        }
        try read(testMirror, now)
        try await testMirror.close()
        try await testMirror.mirror { mirror in
            let ends = [Day.first, Self.today].map { SyncOrder(until: $0) }
            for order in ends + [SyncOrder(), SyncOrder(since: Self.today)] {
                do { _ = try mirror.plan(for: order).request() } catch is SyncOrder.Mistake {}
            }
            _ = try mirror.dueFavorites()
            _ = try await mirror.retention.apply()
            let favorites = mirror.reconciler()
            favorites.makeFolder()
            try favorites.note(.everywhere)
            _ = try favorites.settle()
        }
    }

    private static func read(_ testMirror: TestMirror, _ now: Int) throws {
        let (catalog, settings) = (try testMirror.catalog, testMirror.settings)
        _ = try StatusReport(settings, catalog, at: now).json
        _ = try MirrorRange(settings: settings, catalog: catalog, now: now).pruning()
        _ = try catalog.search(["a"], limit: 10)
    }

    @Test("does not stop a service that runs when it is set to such a moment", .timeLimit(.minutes(10)))
    func running() async throws {
        let testService = try TestService(days: 3)
        try await testService.start(until: .refreshed)
        for moment in Self.moments + Self.moments.reversed() {
            testService.time.set(moment)
            try await testService.time.awaited(from: moment + 1)
        }
        let tomorrow = Self.today.advanced(by: 1)
        testService.nasa.add(Entry(tomorrow, bytes: 2_000))
        testService.time.set(tomorrow.noon)
        try await testService.mirrored(tomorrow)
        #expect(try testService.days.count == 4)
        #expect(await testService.stop() == nil)
    }
}
