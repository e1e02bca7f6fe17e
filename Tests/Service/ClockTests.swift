import Apod
import Archive
import Favorites
import Glibc
import Service
import TestSupport
import Testing

@Suite("A clock that is wrong", .serialized)
struct ClockTests {
    private static let today = Observatory.today
    /// 1970, 1994, the day before the first one, that day, the year behind the last one, 9999 and far beyond.
    private static let moments = [
        0, 1, 86_399, 757_382_400, 803_174_400, 803_260_800, 803_347_200, 3_976_214_400, 253_402_300_799,
        253_402_300_800,
        1 << 40,
    ]

    @Test("stops nothing: a new mirror", arguments: moments)
    func new(moment: Int) async throws {
        let observatory = try Observatory(days: 3)
        observatory.clock.set(moment)
        try await Self.useAll(observatory)
    }

    @Test("stops nothing: a mirror that was made by a right one", arguments: moments, [nil, "20d"])
    func old(moment: Int, keep: String?) async throws {
        let observatory = try Observatory(days: 3) { $0.keep = keep.flatMap { Span($0) } }
        try await observatory.sync()
        let before = observatory.tree
        observatory.clock.set(moment)
        try await Self.useAll(observatory)
        #expect(observatory.tree.filter { $0 != "favorites/" } == before)
        observatory.clock.set(Self.today.noon)
        let tomorrow = Self.today.advanced(by: 1)
        observatory.nasa.add(Entry(tomorrow, bytes: 2_000))
        observatory.clock.pass(days: 1)
        #expect(try await observatory.sync()[tomorrow] == "mirrored")
    }

    private static func useAll(_ observatory: Observatory) async throws {
        let now = observatory.clock.now
        let today = Day(utc: now)
        #expect(Time.seconds(Time.text(now)) != nil)
        let lately = today.advanced(by: -30)...today
        for wish in [Refresh.Wish.missing(lately), .gaps(lately), .days([today, Day.first])] {
            _ = try await observatory.attempt(wish)
        }
        try read(observatory, now)
        try await observatory.close()
        try await observatory.session { session in
            for order in [SyncOrder(), SyncOrder(since: Self.today), SyncOrder(until: Day.first)] {
                _ = try session.range(of: order)
            }
            _ = try session.wishes()
            _ = try await session.retention.apply()
            let favorites = session.reconciler()
            favorites.makeFolder()
            try favorites.note(.everywhere)
            _ = try favorites.settle()
        }
    }

    private static func read(_ observatory: Observatory, _ now: Int) throws {
        let (catalog, settings) = (try observatory.archive().catalog, observatory.settings)
        _ = try Report(settings, catalog, at: now, observatory.clock.uptime).json
        for until in [nil, Day.first, Self.today] {
            _ = try Prospect(settings, catalog, until: until, at: now, observatory.clock.uptime)
            _ = try Prospect(settings, nil, until: until, at: now, observatory.clock.uptime)
        }
        _ = try catalog.search(["a"], limit: 10)
    }

    @Test("does not stop a service that runs when it is set to such a moment", .timeLimit(.minutes(1)))
    func running() async throws {
        let outpost = try Outpost(days: 3)
        outpost.start()
        try await outpost.told(.refreshed)
        for moment in Self.moments + Self.moments.reversed() {
            outpost.time.set(moment)
            try await outpost.time.awaited(from: moment + 1)
        }
        let tomorrow = Self.today.advanced(by: 1)
        outpost.nasa.add(Entry(tomorrow, bytes: 2_000))
        outpost.time.set(tomorrow.noon)
        try await outpost.mirrored(tomorrow)
        #expect(try outpost.days.count == 4)
        #expect(await outpost.stop() == nil)
    }

    @Test("does not make anybody ask all the time", .timeLimit(.minutes(1)), arguments: [3_976_214_400, 1 << 40])
    func ahead(moment: Int) async throws {
        let outpost = try Outpost(days: 3)
        outpost.start()
        try await outpost.told(.refreshed)
        let before = outpost.nasa.requests.count
        outpost.time.set(moment)
        for _ in 1...5 {
            try await outpost.time.awaited(from: outpost.time.now + 1)
            outpost.time.set(try await outpost.time.nextWait())
        }
        await outpost.stop()
        #expect(outpost.nasa.requests.count - before <= 6)
        #expect(outpost.time.now - moment >= 5 * 300)
    }

    @Test(
        "that was ahead put something off: nothing waits for longer than the longest pause",
        arguments: [(-1, true), (0, true), (1, false), (30, false), (31, true), (32, true), (40_000, true)])
    func postponed(days: Int, isDue: Bool) async throws {
        let observatory = try Observatory(days: 60)
        try await observatory.sync()
        let (now, catalog) = (observatory.clock.now, try observatory.archive().catalog)
        let day = Self.today.advanced(by: -40)
        for state in [Standing.State.failed, .absent, .placeholder, .downgraded] {
            var standing = Standing(day: day, state: state, retryAfter: now + days * 86_400)
            #expect(Postponement.holds(standing.retryAfter, at: now) == !isDue)
            if state == .placeholder || state == .downgraded { standing.entry = try observatory.standing(day)?.entry }
            try await observatory.archive().record(standing)
            #expect(try catalog.due(in: day...day, at: now).contains(day) == isDue, "\(state)")
            #expect(try catalog.settled(in: day...day, at: now).contains(day) != isDue, "\(state)")
            #expect(try state != .failed || catalog.failed(at: now).contains(day) == isDue)
            let missing = try Prospect(observatory.settings, catalog, until: day, at: now, observatory.clock.uptime)
                .missing
            #expect(missing.contains(day) == isDue || observatory.settings.since == nil, "\(state)")
        }
        #expect(try catalog.due(in: day...day, at: now).isEmpty != isDue)
    }

    @Test("that was ahead put a favorite off: it is asked for", arguments: [(30, false), (31, true), (40_000, true)])
    func wish(days: Int, isDue: Bool) async throws {
        let observatory = try Observatory(days: 60)
        let (now, day) = (observatory.clock.now, Self.today.advanced(by: -40))
        try await observatory.session { session in
            session.reconciler().makeFolder()
            symlink("\(day)", "\(observatory.root)/favorites/x")
            try session.reconciler().note(.everywhere)
            for state in [Standing.State.failed, .absent] {
                try await session.archive.record(Standing(day: day, state: state, retryAfter: now + days * 86_400))
                #expect(try session.wishes() == (isDue ? [day] : []))
            }
        }
    }

    @Test("that was ahead put off a second look: a patient one is taken", arguments: [(30, "unchanged"), (31, nil)])
    func secondLook(days: Int, words: String?) async throws {
        let observatory = try Observatory(days: 3)
        try await observatory.sync()
        var standing = try #require(try observatory.standing(Self.today))
        standing.state = .downgraded
        standing.retryAfter = observatory.clock.now + days * 86_400
        try await observatory.archive().record(standing)
        let events = try await observatory.sync()
        #expect((events[Self.today] == "unchanged") == (words != nil))
    }
}
