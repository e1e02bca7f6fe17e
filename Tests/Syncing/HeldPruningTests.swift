import Apod
import Archive
import Catalog
import Glibc
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

@Suite("A large round of retention is held for a day")
struct HeldPruningTests {
    /// Sixty days, of which fifty are to go.
    private func testMirror(maxTotal: Bool = false) async throws -> TestMirror {
        let testMirror = try TestMirror(days: 60, bytes: 20_000) { settings in
            settings.rate = 0
            settings.since = TestMirror.today.advanced(by: -59)
        }
        try await testMirror.fetch()
        if maxTotal { testMirror.settings.maxTotal = 1_220_000 } else { testMirror.settings.keep = Span("9d") }
        return testMirror
    }

    /// As with a service that is started for it.
    private func apply(_ testMirror: TestMirror, atOnce: Bool = false) async throws -> PruneRound {
        try await testMirror.mirror { try await $0.retention.apply(atOnce: atOnce) }
    }

    private func expectHeld(
        _ testMirror: TestMirror, since: Int, days: Int, until end: Int? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let files = testMirror.tree
        let pruning = try await apply(testMirror)
        #expect(pruning.days.isEmpty && testMirror.tree == files, sourceLocation: location)
        #expect(pruning.hold?.since == since && pruning.hold?.days == days, sourceLocation: location)
        let hold = try await testMirror.mirror { try $0.archive.catalog.hold() }
        let isRemembered = try !#require(pruning.hold).isNews(after: #require(hold))
        #expect(isRemembered, sourceLocation: location)
        if let end { #expect(pruning.hold?.end == end && hold?.end == end, sourceLocation: location) }
    }

    private func expectGone(
        _ testMirror: TestMirror, days: Int, _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let pruning = try await apply(testMirror)
        #expect(pruning.days.count == days && pruning.hold == nil, sourceLocation: location)
        let hold = try await testMirror.mirror { try $0.archive.catalog.hold() }
        #expect(hold == nil, sourceLocation: location)
        try await testMirror.audit()
        try await testMirror.close()
    }

    @Test("from the first time on, however often the program is started")
    func day() async throws {
        let testMirror = try await testMirror()
        let begin = testMirror.clock.now
        try await expectHeld(testMirror, since: begin, days: 50)
        testMirror.clock.pass(86_399)
        try await expectHeld(testMirror, since: begin, days: 50)
        testMirror.clock.pass(1)
        try await expectGone(testMirror, days: 50)
        try await expectGone(testMirror, days: 0)
    }

    @Test("also where there was no room to remember since when: whoever runs knows it")
    func noRoom() async throws {
        let testMirror = try await testMirror()
        let hold = try #require(try await apply(testMirror).hold)
        testMirror.clock.pass(86_400)
        let again = try await testMirror.mirror {
            try $0.archive.catalog.setRemark(.hold, nil)
            return try await $0.retention.apply(after: hold)
        }
        #expect(again.hold == nil && again.days.count == 50)
        try await testMirror.close()
    }

    @Test("and goes on though a new day has come meanwhile")
    func newDay() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        testMirror.clock.pass(days: 1)
        testMirror.nasa.add(Entry(testMirror.today, bytes: 20_000))
        #expect(try await testMirror.fetch() == [testMirror.today])
        try await expectGone(testMirror, days: 51)
    }

    @Test("but not when nobody waits for it any more: perhaps not all favorites are known")
    func stopped() async throws {
        let testMirror = try await testMirror()
        let (done, hold) = try await testMirror.mirror { mirror in
            let retention = mirror.retention
            let done = try await withThrowingTaskGroup(of: PruneRound.self) { group in
                group.cancelAll()
                group.addTask { try await retention.apply() }
                return try await group.next()
            }
            return (done, try mirror.archive.catalog.hold())
        }
        #expect(done?.days.isEmpty == true && done?.hold == nil && hold == nil)
        try await testMirror.close()
    }

    @Test("also by max-total, and nothing of it goes while more comes")
    func maxTotal() async throws {
        let testMirror = try await testMirror(maxTotal: true)
        let begin = testMirror.clock.now
        let count = try await testMirror.mirror { try await $0.retention.plan().days.count }
        #expect(31...45 ~= count)
        for _ in 1...3 {
            try await expectHeld(testMirror, since: begin, days: count)
            testMirror.clock.pass(7 * 3600)
        }
        testMirror.clock.pass(3 * 3600)
        try await expectGone(testMirror, days: count)
    }

    @Test("and anew when `keep` is another one, or the catalog is made again")
    func anew() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        testMirror.clock.pass(80_000)
        for (keep, days) in [("8d", 51), ("20d", 39)] {
            testMirror.settings.keep = Span(keep)
            try await expectHeld(testMirror, since: testMirror.clock.now, days: days)
            testMirror.clock.pass(80_000)
        }
        for suffix in ["", "-wal", "-shm"] { unlink("\(testMirror.root)/.apod-mirror/catalog.sqlite\(suffix)") }
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 39)
    }

    @Test("and no longer when `keep` is put right, or there is none")
    func right() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        testMirror.settings.keep = nil
        try await expectGone(testMirror, days: 0)
        testMirror.settings.keep = Span("9d")
        testMirror.clock.pass(days: 1)
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        // What is small goes at once.
        testMirror.settings.keep = Span("29d")
        try await expectGone(testMirror, days: 30)
    }

    @Test("and no longer when enough of it are favorites")
    func favorites() async throws {
        let testMirror = try await testMirror()
        let begin = testMirror.clock.now
        try await expectHeld(testMirror, since: begin, days: 50)
        try await testMirror.favor(Array(testMirror.ago(59)...testMirror.ago(41)))
        try await expectHeld(testMirror, since: begin, days: 31)
        try await testMirror.favor([testMirror.ago(40)])
        try await expectGone(testMirror, days: 30)
    }

    private func shownEnd(_ testMirror: TestMirror) async throws -> Int? {
        let clock = testMirror.clock
        return try await testMirror.mirror { mirror in
            try mirror.archive.catalog.hold()?.counted(at: clock.now, clock.uptime).end
        }
    }

    @Test("neither shorter nor longer by a clock that is set, and `status` shows it", arguments: [3, -3, -400])
    func clock(days: Int) async throws {
        let testMirror = try await testMirror(maxTotal: true)
        let begin = testMirror.clock.now
        let count = try await testMirror.mirror { try await $0.retention.plan().days.count }
        try await expectHeld(testMirror, since: begin, days: count)
        testMirror.clock.pass(1_000)
        #expect(try await shownEnd(testMirror) == begin + 86_400)
        testMirror.clock.jump(days: days)
        let end = begin + (days + 1) * 86_400
        #expect(try await shownEnd(testMirror) == end)
        try await expectHeld(testMirror, since: begin, days: count, until: end)
        testMirror.clock.pass(85_399)
        #expect(try await dryRun(testMirror).hold?.end == end)
        try await expectHeld(testMirror, since: begin, days: count, until: end)
        testMirror.clock.pass(1)
        #expect(try await dryRun(testMirror).hold == nil)
        try await expectGone(testMirror, days: count)
    }

    private func dryRun(_ testMirror: TestMirror) async throws -> PruneRound {
        let clock = testMirror.clock
        return try await testMirror.mirror { mirror in
            try SyncPreview(testMirror.settings, mirror.archive.catalog, at: clock.now, clock.uptime).pruning
        }
    }

    @Test("in which the machine runs, however long it is off meanwhile")
    func off() async throws {
        let testMirror = try await testMirror()
        let (begin, clock) = (testMirror.clock.now, testMirror.clock)
        try await expectHeld(testMirror, since: begin, days: 50)
        // Each run of the machine counts as far as somebody looked, or from its start.
        clock.pass(40_000)
        try await expectHeld(testMirror, since: begin, days: 50, until: begin + 86_400)
        clock.beOff(for: 3 * 86_400)
        #expect(try await dryRun(testMirror).hold?.end == clock.now + 46_400)
        try await expectHeld(testMirror, since: begin, days: 50, until: clock.now + 46_400)
        clock.pass(6_400)
        clock.beOff(for: 86_400)
        clock.pass(46_399)
        try await expectHeld(testMirror, since: begin, days: 50, until: clock.now + 1)
        clock.pass(1)
        try await expectGone(testMirror, days: 50)
    }

    @Test("in which somebody looks again and again: what has passed adds up")
    func looks() async throws {
        let testMirror = try await testMirror()
        let begin = testMirror.clock.now
        try await testMirror.mirror { mirror in
            for number in 0..<144 {
                let hold = try await mirror.retention.apply().hold
                #expect(hold?.since == begin && hold?.heldSeconds == number * 599 && hold?.end == begin + 86_400)
                // Not each look is worth writing.
                #expect(try mirror.archive.catalog.hold()?.heldSeconds == number / 2 * 2 * 599)
                testMirror.clock.pass(599)
            }
        }
        testMirror.clock.pass(143)
        try await expectHeld(testMirror, since: begin, days: 50)
        testMirror.clock.pass(1)
        try await expectGone(testMirror, days: 50)
    }

    @Test("and goes on at once when it was interrupted after that")
    func interrupted() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        testMirror.clock.pass(days: 1)
        try await testMirror.mirror { (mirror: OpenMirror) async throws -> Void in
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await mirror.retention.apply()
            }
            let pruning = try await work.value
            #expect(pruning.days.isEmpty && pruning.hold == nil)
        }
        try await expectGone(testMirror, days: 50)
    }

    @Test("unless it is to go at once")
    func atOnce() async throws {
        let testMirror = try await testMirror()
        try await expectHeld(testMirror, since: testMirror.clock.now, days: 50)
        #expect(try await apply(testMirror, atOnce: true).days.count == 50)
        try await expectGone(testMirror, days: 0)
    }
}
