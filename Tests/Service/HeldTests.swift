import Apod
import Archive
import Glibc
import TestSupport
import Testing

@testable import Service

@Suite("A large round of retention is held for a day")
struct HeldTests {
    /// Sixty days, of which fifty are to go.
    private func observatory(maxTotal: Bool = false) async throws -> Observatory {
        let observatory = try Observatory(days: 60, bytes: 20_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -59)
        }
        try await observatory.fetch()
        if maxTotal { observatory.settings.maxTotal = 1_220_000 } else { observatory.settings.keep = Span("9d") }
        return observatory
    }

    /// As with a service that is started for it.
    private func apply(_ observatory: Observatory, atOnce: Bool = false) async throws -> Pruning {
        try await observatory.session { try await $0.retention.apply(atOnce: atOnce) }
    }

    private func expectHeld(
        _ observatory: Observatory, since: Int, days: Int, until end: Int? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let files = observatory.tree
        let pruning = try await apply(observatory)
        #expect(pruning.days.isEmpty && observatory.tree == files, sourceLocation: location)
        #expect(pruning.hold?.since == since && pruning.hold?.days == days, sourceLocation: location)
        let hold = try await observatory.session { try $0.archive.catalog.hold() }
        let isRemembered = try !#require(pruning.hold).isNews(after: #require(hold))
        #expect(isRemembered, sourceLocation: location)
        if let end { #expect(pruning.hold?.end == end && hold?.end == end, sourceLocation: location) }
    }

    private func expectGone(
        _ observatory: Observatory, days: Int, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let pruning = try await apply(observatory)
        #expect(pruning.days.count == days && pruning.hold == nil, sourceLocation: location)
        let hold = try await observatory.session { try $0.archive.catalog.hold() }
        #expect(hold == nil, sourceLocation: location)
        try await observatory.audit(location)
        try await observatory.close()
    }

    @Test("from the first time on, however often the program is started")
    func day() async throws {
        let observatory = try await observatory()
        let begin = observatory.clock.now
        try await expectHeld(observatory, since: begin, days: 50)
        observatory.clock.pass(86_399)
        try await expectHeld(observatory, since: begin, days: 50)
        observatory.clock.pass(1)
        try await expectGone(observatory, days: 50)
        try await expectGone(observatory, days: 0)
    }

    @Test("also where there was no room to remember since when: whoever runs knows it")
    func noRoom() async throws {
        let observatory = try await observatory()
        let hold = try #require(try await apply(observatory).hold)
        observatory.clock.pass(86_400)
        let again = try await observatory.session {
            try $0.archive.catalog.setRemark(.hold, nil)
            return try await $0.retention.apply(after: hold)
        }
        #expect(again.hold == nil && again.days.count == 50)
        try await observatory.close()
    }

    @Test("and goes on though a new day has come meanwhile")
    func newDay() async throws {
        let observatory = try await observatory()
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        observatory.clock.pass(days: 1)
        observatory.nasa.add(Entry(observatory.today, bytes: 20_000))
        #expect(try await observatory.fetch() == [observatory.today])
        try await expectGone(observatory, days: 51)
    }

    @Test("but not when nobody waits for it any more: perhaps not all favorites are known")
    func stopped() async throws {
        let observatory = try await observatory()
        let (done, hold) = try await observatory.session { session in
            let retention = session.retention
            let done = try await withThrowingTaskGroup(of: Pruning.self) { group in
                group.cancelAll()
                group.addTask { try await retention.apply() }
                return try await group.next()
            }
            return (done, try session.archive.catalog.hold())
        }
        #expect(done?.days.isEmpty == true && done?.hold == nil && hold == nil)
        try await observatory.close()
    }

    @Test("also by max-total, and nothing of it goes while more comes")
    func maxTotal() async throws {
        let observatory = try await observatory(maxTotal: true)
        let begin = observatory.clock.now
        let count = try await observatory.session { try await $0.retention.plan().days.count }
        #expect(31...45 ~= count)
        for _ in 1...3 {
            try await expectHeld(observatory, since: begin, days: count)
            observatory.clock.pass(7 * 3600)
        }
        observatory.clock.pass(3 * 3600)
        try await expectGone(observatory, days: count)
    }

    @Test("and anew when `keep` is another one, or the catalog is made again")
    func anew() async throws {
        let observatory = try await observatory()
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        observatory.clock.pass(80_000)
        for (keep, days) in [("8d", 51), ("20d", 39)] {
            observatory.settings.keep = Span(keep)
            try await expectHeld(observatory, since: observatory.clock.now, days: days)
            observatory.clock.pass(80_000)
        }
        for suffix in ["", "-wal", "-shm"] { unlink("\(observatory.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        try await expectHeld(observatory, since: observatory.clock.now, days: 39)
    }

    @Test("and no longer when `keep` is put right, or there is none")
    func right() async throws {
        let observatory = try await observatory()
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        observatory.settings.keep = nil
        try await expectGone(observatory, days: 0)
        observatory.settings.keep = Span("9d")
        observatory.clock.pass(days: 1)
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        // What is small goes at once.
        observatory.settings.keep = Span("29d")
        try await expectGone(observatory, days: 30)
    }

    @Test("and no longer when enough of it are favorites")
    func favorites() async throws {
        let observatory = try await observatory()
        let begin = observatory.clock.now
        try await expectHeld(observatory, since: begin, days: 50)
        try await observatory.favor(Array(observatory.ago(59)...observatory.ago(41)))
        try await expectHeld(observatory, since: begin, days: 31)
        try await observatory.favor([observatory.ago(40)])
        try await expectGone(observatory, days: 30)
    }

    private func shownEnd(_ observatory: Observatory) async throws -> Int? {
        let clock = observatory.clock
        return try await observatory.session { session in
            try session.archive.catalog.hold()?.counted(at: clock.now, clock.uptime).end
        }
    }

    @Test("neither shorter nor longer by a clock that is set, and `status` shows it", arguments: [3, -3, -400])
    func clock(days: Int) async throws {
        let observatory = try await observatory(maxTotal: true)
        let begin = observatory.clock.now
        let count = try await observatory.session { try await $0.retention.plan().days.count }
        try await expectHeld(observatory, since: begin, days: count)
        observatory.clock.pass(1_000)
        #expect(try await shownEnd(observatory) == begin + 86_400)
        observatory.clock.jump(days: days)
        let end = begin + (days + 1) * 86_400
        #expect(try await shownEnd(observatory) == end)
        try await expectHeld(observatory, since: begin, days: count, until: end)
        observatory.clock.pass(85_399)
        #expect(try await dryRun(observatory).hold?.end == end)
        try await expectHeld(observatory, since: begin, days: count, until: end)
        observatory.clock.pass(1)
        #expect(try await dryRun(observatory).hold == nil)
        try await expectGone(observatory, days: count)
    }

    private func dryRun(_ observatory: Observatory) async throws -> Pruning {
        let clock = observatory.clock
        return try await observatory.session { session in
            try Prospect(observatory.settings, session.archive.catalog, at: clock.now, clock.uptime).pruning
        }
    }

    @Test("in which the machine runs, however long it is off meanwhile")
    func off() async throws {
        let observatory = try await observatory()
        let (begin, clock) = (observatory.clock.now, observatory.clock)
        try await expectHeld(observatory, since: begin, days: 50)
        // Each run of the machine counts as far as somebody looked, or from its start.
        clock.pass(40_000)
        try await expectHeld(observatory, since: begin, days: 50, until: begin + 86_400)
        clock.beOff(for: 3 * 86_400)
        #expect(try await dryRun(observatory).hold?.end == clock.now + 46_400)
        try await expectHeld(observatory, since: begin, days: 50, until: clock.now + 46_400)
        clock.pass(6_400)
        clock.beOff(for: 86_400)
        clock.pass(46_399)
        try await expectHeld(observatory, since: begin, days: 50, until: clock.now + 1)
        clock.pass(1)
        try await expectGone(observatory, days: 50)
    }

    @Test("in which somebody looks again and again: what has passed adds up")
    func looks() async throws {
        let observatory = try await observatory()
        let begin = observatory.clock.now
        try await observatory.session { session in
            for number in 0..<144 {
                let hold = try await session.retention.apply().hold
                #expect(hold?.since == begin && hold?.told == number * 599 && hold?.end == begin + 86_400)
                // Not each look is worth writing.
                #expect(try session.archive.catalog.hold()?.told == number / 2 * 2 * 599)
                observatory.clock.pass(599)
            }
        }
        observatory.clock.pass(143)
        try await expectHeld(observatory, since: begin, days: 50)
        observatory.clock.pass(1)
        try await expectGone(observatory, days: 50)
    }

    @Test("and goes on at once when it was interrupted after that")
    func interrupted() async throws {
        let observatory = try await observatory()
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        observatory.clock.pass(days: 1)
        try await observatory.session { (session: Session) async throws -> Void in
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await session.retention.apply()
            }
            let pruning = try await work.value
            #expect(pruning.days.isEmpty && pruning.hold == nil)
        }
        try await expectGone(observatory, days: 50)
    }

    @Test("unless it is to go at once")
    func atOnce() async throws {
        let observatory = try await observatory()
        try await expectHeld(observatory, since: observatory.clock.now, days: 50)
        #expect(try await apply(observatory, atOnce: true).days.count == 50)
        try await expectGone(observatory, days: 0)
    }
}
