import Apod
import Archive
import Glibc
import Service
import TestSupport
import Testing

@Suite("An upstream that asks to be left alone", .serialized, .timeLimit(.minutes(1)))
struct QuietTests {
    private let today = Outpost.today

    private static func isJSON(_ request: Request) -> Bool {
        request.path.hasPrefix(FakeNASA.base) || request.path.hasPrefix("/feed")
    }

    @Test("is asked for the new day when that time is over, and not before", arguments: [429, 503])
    func daily(status: Int) async throws {
        let outpost = try Outpost(days: 3)
        outpost.nasa.intercept = { Self.isJSON($0) ? .html(status, retryAfter: "7200") : nil }
        let start = outpost.time.now
        outpost.start()
        try await outpost.told(.refreshFailed, "asks to wait 7200 s")
        try await outpost.time.awaited(exactly: start + 7200)
        #expect(try outpost.catalog().fact(.nextRefresh) == start + 7200)
        #expect(outpost.nasa.requests.count == 1)
        outpost.nasa.intercept = nil
        outpost.time.set(start + 7199)
        try await outpost.time.awaited(exactly: start + 7200)
        #expect(outpost.nasa.requests.count == 1)
        outpost.time.set(start + 7200)
        try await outpost.mirrored(today)
        try await outpost.told(.refreshed)
        #expect(try outpost.catalog().quiet(at: start + 7200) == nil)
        await outpost.stop()
    }

    @Test("is left alone when the service begins anew, too")
    func restarted() async throws {
        let outpost = try Outpost(days: 3)
        outpost.nasa.intercept = { Self.isJSON($0) ? .html(429, retryAfter: "7200") : nil }
        let start = outpost.time.now
        outpost.start()
        try await outpost.told(.refreshFailed)
        await outpost.stop()
        outpost.time.pass(60)
        outpost.start()
        try await outpost.time.awaited(exactly: start + 7200)
        await outpost.stop()
        #expect(outpost.nasa.requests.count == 1)
    }

    @Test("is not asked for older days before")
    func backfill() async throws {
        let outpost = try Outpost(days: 100)
        let limit = today.advanced(by: -50)
        outpost.nasa.intercept = { request in
            request["date_to"].map { $0 < limit.compact } == true ? .html(429, retryAfter: "3600") : nil
        }
        let start = outpost.time.now
        outpost.start()
        try await outpost.told(.refreshFailed, "the backfill goes on later")
        try await outpost.time.awaited(exactly: start + 3600)
        outpost.nasa.intercept = nil
        let before = outpost.nasa.requests.count { Self.isJSON($0) }
        outpost.time.set(start + 3599)
        try await outpost.time.awaited(exactly: start + 3600)
        #expect(outpost.nasa.requests.count { Self.isJSON($0) } == before)
        outpost.time.set(start + 3600)
        try await outpost.told(.backfilled)
        #expect(try outpost.days.count == 100)
        await outpost.stop()
    }

    @Test("keeps the backfill waiting, whoever was asked")
    func backfillOfOthers() async throws {
        let outpost = try Outpost(days: 100)
        outpost.start()
        try await outpost.told(.backfilled)
        await outpost.stop()
        let (start, before) = (outpost.time.now, outpost.nasa.requests.count)
        try await Self.change(outpost.root, days: outpost.days.prefix(5), quietUntil: start + 1800)
        outpost.start()
        try await outpost.told(.backfilling, "5 days to fetch")
        try await outpost.time.awaited(exactly: start + 1800)
        #expect(outpost.nasa.requests.count == before)
        outpost.time.set(start + 1800)
        try await outpost.told(.backfilled, times: 2)
        await outpost.stop()
    }

    /// Is gone when this returns, and with it the lock.
    private static func change(_ root: String, days: some Sequence<Day>, quietUntil moment: Int) async throws {
        let archive = try Archive(root: root, state: nil) { _ in nil }
        for day in days { try await archive.record(Standing(day: day, state: .failed)) }
        try archive.catalog.setFact(.quietUntil, moment)
    }

    @Test("is not asked for favorites before, and then for all of them")
    func favorites() async throws {
        let outpost = try Outpost(days: 60) { $0.since = Outpost.today }
        let (first, second) = (today.advanced(by: -40), today.advanced(by: -50))
        outpost.start()
        try await outpost.told(.refreshed)
        outpost.nasa.intercept = { Self.isJSON($0) ? .html(503, retryAfter: "7200") : nil }
        let start = outpost.time.now
        symlink("\(first)", "\(outpost.root)/favorites/first")
        try await outpost.told(.refreshFailed, "asks to wait 7200 s")
        await outpost.stop()
        let before = outpost.nasa.requests.count
        outpost.time.set(start + 7199)
        // Looks for what is pending as soon as it begins.
        outpost.start()
        try await outpost.told(.watching, times: 2)
        symlink("\(second)", "\(outpost.root)/favorites/second")
        try await outpost.eventually { try outpost.catalog().pending().count == 2 }
        #expect(outpost.nasa.requests.count == before)
        outpost.nasa.intercept = nil
        outpost.time.set(start + 7200)
        symlink("\(second)", "\(outpost.root)/favorites/third")
        for day in [first, second] { try await outpost.mirrored(day) }
        await outpost.stop()
    }

    @Test("is asked all the same by a person, once each time, and is not left alone any more once it answers")
    func person() async throws {
        let observatory = try Observatory(days: 40)
        let catalog = try observatory.archive().catalog
        observatory.nasa.intercept = { Self.isJSON($0) ? .html(429, retryAfter: "3600") : nil }
        for count in 1...2 {
            #expect(try await observatory.attempt().error?.kind == "upstream silent")
            #expect(observatory.nasa.requests.count == count)
            #expect(try catalog.quiet(at: observatory.clock.now) == observatory.clock.now + 3600)
        }
        observatory.nasa.intercept = nil
        try await observatory.sync()
        #expect(try catalog.quiet(at: observatory.clock.now) == nil)
    }

    @Test("is left alone for a day at most, whatever a clock that was ahead had noted")
    func limits() async throws {
        let observatory = try Observatory(days: 1)
        let (catalog, now) = (try observatory.archive().catalog, observatory.clock.now)
        #expect(try catalog.quiet(at: now) == nil)
        for (left, isQuiet) in [(-1, false), (0, false), (1, true), (86_400, true), (86_401, false), (1 << 40, false)] {
            try catalog.setFact(.quietUntil, now + left)
            #expect(try (catalog.quiet(at: now) != nil) == isQuiet, "\(left)")
        }
    }

    @Test("with a single day's answer is left alone as well")
    func single() async throws {
        let observatory = try Observatory(days: 40)
        observatory.nasa.intercept = { Self.isJSON($0) ? .html(503, retryAfter: "86400") : nil }
        let (_, error) = try await observatory.attempt(.days([today.advanced(by: -30)]))
        #expect(error?.kind == "upstream silent")
        #expect(observatory.nasa.requests.count == 1)
        #expect(try observatory.archive().catalog.quiet(at: observatory.clock.now) == observatory.clock.now + 86_400)
    }
}
