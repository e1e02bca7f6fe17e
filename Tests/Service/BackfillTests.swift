import Apod
import Files
import Glibc
import Store
import Synchronization
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Service

@Suite(.patience)
struct BackfillTests {
    private let today = TestService.today

    @Test("The backfill goes back window by window, newest first, and tells how far it is")
    func windows() async throws {
        let testService = try TestService(days: 120)
        try await testService.start(until: .backfilled)
        let days = testService.told.value.filter { $0.event == .mirrored }.compactMap(\.day)
        #expect(days.count == 120)
        let failed = testService.told.value.filter { $0.event == .failed }.map(\.words)
        // Within a window the days come as they come.
        for (index, day) in days.enumerated() {
            let newer = days.prefix(index).count { $0 < day.advanced(by: -25) }
            #expect(newer == 0, "\(day) came behind days of older windows; \(failed)")
        }
        let lines = testService.news.value.filter { $0.contains("days to fetch, now at") }
        #expect(lines.first?.contains(" left") == false, "it would be a guess")
        try await testService.news.first("news") { $0.last { $0.hasPrefix("status") }?.contains("to fetch") == false }
        let told = testService.told.value.filter { $0.event == .backfilling }.map(\.words)
        #expect(told.count == 1 && told[0].hasPrefix("82 days to fetch"), "\(told)")
    }

    @Test("The backfill says how long it will take after some days, and begins an interrupted window anew")
    func estimateWithinWindow() {
        var progress = BackfillProgress(days: Array(day("2026-01-01")...day("2026-07-19")))
        for attempt in 1...2 {
            let before = progress.begin()?.1
            #expect(before?.missing == 200, "\(attempt)")
            let first = progress.endDay(after: .seconds(5))
            #expect(first?.missing == 199 && first?.secondsLeft == nil, "\(attempt)")
            for _ in 1..<19 { _ = progress.endDay(after: .seconds(8)) }
            let now = progress.endDay(after: .seconds(40))
            #expect(now?.missing == 180 && now?.secondsLeft == 360, "\(attempt)")
        }
        progress = BackfillProgress(days: Array(day("2026-01-01")...day("2026-07-19")))
        for (seconds, left) in [(4, nil), (6, 30), (5, 25), (5, 20)] as [(Int, Int?)] {
            progress.window.map { progress.pass($0, in: .seconds(seconds)) }
            #expect(progress.progress?.secondsLeft == left)
        }
    }

    @Test(
        "The backfill leaves out what is before the first day that is wanted by now, and not that day",
        arguments: [("2026-01-01", 3), ("2026-01-02", 2), ("2026-01-03", 1), ("2026-01-04", 0), (nil, 0)])
    func forgotten(first: String?, left: Int) {
        var progress = BackfillProgress(days: Array(day("2026-01-01")...day("2026-01-03")))
        progress.forget(before: first.map { day($0) })
        #expect(progress.progress?.missing ?? 0 == left)
    }

    @Test("The backfill gives way to the new day, and to a favorite")
    func givesWay() async throws {
        let testService = try TestService(days: 200)
        let (slow, wish) = (ago(60), ago(199))
        // Until somebody interrupts it, it goes no further.
        testService.nasa.intercept = { request in
            request.path.hasPrefix(Entry.originals) && request.path.contains(slow.compact) ? .hanging : nil
        }
        testService.start()
        try await testService.nasa.server.request { $0.path.contains(slow.compact) }
        symlink("\(wish)", testService["favorites/\(wish)"])
        try await testService.mirrored(wish)
        #expect(try !testService.days.contains(ago(150)))
        let tomorrow = today.advanced(by: 1)
        testService.publish(Entry(tomorrow))
        try await testService.mirrored(tomorrow)
        #expect(try !testService.days.contains(ago(150)))
        // That is no failure.
        #expect(!testService.told.value.contains { $0.event == .refreshFailed })
        testService.nasa.intercept = nil
        await testService.stop()
        try await testService.start(until: .backfilled)
        #expect(try testService.days.count == 201)
    }

    @Test("The backfill leaves an unanswered window after four attempts, with growing pauses")
    func attempts() async throws {
        let testService = try TestService(days: 100)
        let limit = ago(50)
        testService.nasa.intercept = { request in
            let isOld = request["date_to"].map { $0 < limit.compact } ?? (request.path == FakeNASA.articles)
            return isOld ? Response(status: 503) : nil
        }
        try await testService.start(until: .refreshFailed, "backfill: ")
        try await testService.news.first("news") { $0.last { $0.hasPrefix("status") }?.contains("backfill: ") == true }
        var pauses: [Int] = []
        try await testService.eventually {
            // The next day is waited for, too.
            if let pause = testService.time.nextPause, 1...3_600 ~= pause {
                pauses.append(pause)
                testService.time.pass(pause)
            }
            return testService.told.value.contains { $0.event == .backfilled }
        }
        #expect(pauses == [300, 600, 1200, 2400, 3600, 3600])
        #expect(try testService.days.count == 63)
        await testService.stop()
    }

    @Test("The backfill ends where what has come leaves no room for what is older")
    func noRoom() async throws {
        let entries = Entry.days(100, newest: today, bytes: 100_000)
        let testService = try TestService(entries) { $0.maxTotal = 5_000_000 }
        try await testService.start(until: .backfilled, "\(ago(62))")
        #expect(!testService.told.value.contains { $0.words.contains("there is no room") })
        // What is too much then goes.
        try await testService.eventually { try testService.catalog.bytes() <= 5_000_000 }
        await testService.stop()
    }
}
