import Apod
import Configuration
import Glibc
import Service
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@Suite(.patience)
struct QuietUpstreamTests {
    private static let today = TestService.today
    private var today: Day { Self.today }

    private static func isJSON(_ request: Request) -> Bool {
        request.path.hasPrefix(FakeNASA.base) || request.path == FakeNASA.articles
    }

    @Test(
        "A quiet upstream is asked for the new day when its time is over, and not before",
        arguments: [429, 503])
    func daily(status: Int) async throws {
        let testService = try TestService(days: 3)
        testService.nasa.intercept = { Self.isJSON($0) ? .html(status, retryAfter: "7200") : nil }
        let start = testService.time.now
        try await testService.start(until: .refreshFailed, "asks for a pause of 7200 s")
        try await testService.time.awaited(exactly: start + 7200)
        #expect(testService.status?.nextRefresh == start + 7200)
        // A service that begins anew knows it, too.
        await testService.stop()
        testService.time.pass(60)
        testService.start()
        try await testService.time.awaited(exactly: start + 7200)
        testService.nasa.intercept = nil
        testService.time.set(start + 7199)
        try await testService.time.awaited(exactly: start + 7200)
        #expect(testService.nasa.requests.count == 1)
        testService.time.set(start + 7200)
        try await testService.mirrored(today)
        try await testService.told(.refreshed)
        #expect(try testService.catalog.quiet(at: start + 7200) == nil)
        await testService.stop()
    }

    @Test(
        "An upstream that fails altogether is told of once; else the days without an answer are named"
    )
    func toldOnce() async throws {
        // Of so many days that there are one or two questions.
        for days in [3, 60] {
            let testService = try TestService(days: days)
            testService.nasa.intercept = { Self.isJSON($0) ? .html(404) : nil }
            try await testService.start(
                until: .refreshFailed, "127.0.0.1: no records are at this address (404)")
            // Other programs may have all instances of inotify, which is a warning, too.
            let warnings = testService.told.value.filter { $0.isWarning && $0.event != .watching }
            #expect(warnings.count == 1, "\(warnings)")
            await testService.stop()
        }
        // Of two windows, the newer one has an answer.
        let other = try TestService(days: 60)
        let older = "date_to=\(ago(25).compact)"
        other.nasa.intercept = { $0.target.contains(older) || $0.path == FakeNASA.articles ? .html(404) : nil }
        try await other.start(until: .noted, "to \(ago(25)) failed: not there (404): ")
        await other.stop()
    }

    @Test("A quiet upstream keeps the backfill waiting, whoever was asked")
    func backfillOfOthers() async throws {
        let testService = try TestService(days: 100)
        try await testService.start(until: .backfilled)
        await testService.stop()
        let (start, before) = (testService.time.now, testService.nasa.requests.count)
        try await Self.change(testService.root, days: testService.days.prefix(5), quietUntil: start + 1800)
        try await testService.start(until: .backfilling, "5 days to fetch")
        try await testService.time.awaited(exactly: start + 1800)
        #expect(testService.nasa.requests.count == before)
        testService.time.set(start + 1800)
        try await testService.told(.backfilled, times: 2)
        await testService.stop()
    }

    /// Is gone when this returns, and with it the lock.
    private static func change(_ root: String, days: some Sequence<Day>, quietUntil moment: Int) async throws {
        let archive = try Archive(root: root, state: nil) { _, _ in nil }
        for day in days { try await archive.record(Item(.day(day), .failed)) }
        try archive.catalog.setFact(.quietUntil, moment)
    }

    @Test("A quiet upstream is not asked for favorites before, and then for all of them")
    func favorites() async throws {
        let testService = try TestService(days: 60) { $0.since = TestService.today }
        let (first, second) = (ago(40), ago(50))
        try await testService.start(until: .refreshed)
        testService.nasa.intercept = { Self.isJSON($0) ? .html(503, retryAfter: "7200") : nil }
        let start = testService.time.now
        symlink("\(first)", testService["favorites/first"])
        try await testService.told(.refreshFailed, "asks for a pause of 7200 s")
        await testService.stop()
        let before = testService.nasa.requests.count
        testService.time.set(start + 7199)
        // Looks for what is pending as soon as it begins.
        try await testService.start(until: .watching, times: 2)
        symlink("\(second)", testService["favorites/second"])
        try await testService.eventually {
            try testService.catalog.due(among: testService.log.known.days, at: start).count == 2
        }
        #expect(testService.nasa.requests.count == before)
        testService.nasa.intercept = nil
        testService.time.set(start + 7200)
        symlink("\(second)", testService["favorites/third"])
        for day in [first, second] { try await testService.mirrored(day) }
        await testService.stop()
    }
}
