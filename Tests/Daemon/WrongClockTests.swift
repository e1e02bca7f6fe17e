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
    /// 1970, 1994, the day before the first one, that day, the year behind the last one, 9999 and far beyond.
    private static let moments = [
        0, 1, 86_399, 757_382_400, 803_174_400, 803_260_800, 803_347_200, 3_976_214_400, 253_402_300_799,
        253_402_300_800,
        1 << 40,
    ]

    @Test("stops nothing: a new mirror", arguments: moments)
    func new(moment: Int) async throws {
        let testMirror = try TestMirror(days: 3)
        testMirror.clock.set(moment)
        try await Self.useAll(testMirror)
    }

    @Test("stops nothing: a mirror that was made by a right one", arguments: moments, [nil, "20d"])
    func old(moment: Int, keep: String?) async throws {
        let testMirror = try TestMirror(days: 3) { $0.keep = keep.flatMap { Span($0) } }
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
            for order in [SyncOrder(), SyncOrder(since: Self.today), SyncOrder(until: Day.first)] {
                _ = try mirror.plan(for: order)
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
        let (catalog, settings) = (try testMirror.archive().catalog, testMirror.settings)
        _ = try StatusReport(settings, catalog, at: now).json
        for until in [nil, Day.first, Self.today] {
            for catalog in [catalog, nil] {
                do {
                    _ = try SyncPreview(settings, catalog, SyncOrder(until: until), at: now)
                } catch is SyncOrder.Mistake {}
            }
        }
        _ = try catalog.search(["a"], limit: 10)
    }

    @Test("does not stop a service that runs when it is set to such a moment", .timeLimit(.minutes(1)))
    func running() async throws {
        let testService = try TestService(days: 3)
        testService.start()
        try await testService.told(.refreshed)
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

    @Test("does not make anybody ask all the time", .timeLimit(.minutes(1)), arguments: [3_976_214_400, 1 << 40])
    func ahead(moment: Int) async throws {
        let testService = try TestService(days: 3)
        testService.start()
        try await testService.told(.refreshed)
        let before = testService.nasa.requests.count
        testService.time.set(moment)
        for _ in 1...5 {
            try await testService.time.awaited(from: testService.time.now + 1)
            testService.time.set(try await testService.time.nextWait())
        }
        await testService.stop()
        #expect(testService.nasa.requests.count - before <= 6)
        #expect(testService.time.now - moment >= 5 * 300)
    }

    @Test(
        "that was ahead put something off: nothing waits for longer than the longest pause",
        arguments: [(-1, true), (0, true), (1, false), (30, false), (31, true), (32, true), (40_000, true)])
    func postponed(days: Int, isDue: Bool) async throws {
        let testMirror = try TestMirror(days: 60)
        try await testMirror.sync()
        let (now, catalog) = (testMirror.clock.now, try testMirror.archive().catalog)
        let day = Self.today.advanced(by: -40)
        for state in [DayStatus.State.failed, .absent, .placeholder, .downgraded] {
            var status = DayStatus(day: day, state: state, retryAfter: now + days * 86_400)
            #expect(RetryPolicy.isDue(status, at: now) == isDue)
            if state == .placeholder || state == .downgraded { status.stored = try testMirror.status(day)?.stored }
            try await testMirror.archive().record(status)
            #expect(try catalog.due(in: day...day, at: now).contains(day) == isDue, "\(state)")
            #expect(try catalog.gaps(in: day...day, at: now).contains(day) == isDue, "\(state)")
            #expect(try state != .failed || catalog.failed(at: now).contains(day) == isDue)
            let order = SyncOrder(since: day, until: day)
            let missing = try SyncPreview(
                order.applied(to: testMirror.settings), catalog, order, at: now
            ).missing
            #expect(missing.contains(day) == isDue, "\(state)")
        }
        #expect(try catalog.due(in: day...day, at: now).isEmpty != isDue)
    }

    @Test("that was ahead put a favorite off: it is asked for", arguments: [(30, false), (31, true), (40_000, true)])
    func wish(days: Int, isDue: Bool) async throws {
        let testMirror = try TestMirror(days: 60)
        let (now, day) = (testMirror.clock.now, Self.today.advanced(by: -40))
        try await testMirror.mirror { mirror in
            mirror.reconciler().makeFolder()
            symlink("\(day)", "\(testMirror.root)/favorites/x")
            try mirror.reconciler().note(.everywhere)
            for state in [DayStatus.State.failed, .absent] {
                try await mirror.archive.record(DayStatus(day: day, state: state, retryAfter: now + days * 86_400))
                #expect(try mirror.dueFavorites() == (isDue ? [day] : []))
            }
        }
    }

    @Test(
        "that was ahead when all that is new was asked for: it is asked for today all the same",
        .timeLimit(.minutes(1)))
    func askedInFuture() async throws {
        let testService = try TestService(days: 2)
        testService.start()
        try await testService.told(.refreshed)
        await testService.stop()
        let catalog = try Catalog(in: testService.root)
        try catalog.setFact(.lastRefresh, testService.time.now + 3 * 86_400)
        testService.start()
        try await testService.told(.refreshed, times: 2)
        await testService.stop()
    }
}
