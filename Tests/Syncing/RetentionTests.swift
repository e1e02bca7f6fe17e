import Apod
import Configuration
import Glibc
import Service
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

struct RetentionTests {
    private let today = TestMirror.today

    /// Thirty days with pictures of 100 KB; the JSON takes up some more.
    private func testMirror(keep: String? = nil, maxTotal: Int? = nil) throws -> TestMirror {
        try TestMirror(days: 30, bytes: 100_000) { settings in
            settings.since = ago(29)
            settings.keep = keep.flatMap { Span($0) }
            settings.maxTotal = maxTotal
        }
    }

    /// As `sync` does it. Returns the days that came and those that went.
    @discardableResult
    private func sync(_ testMirror: TestMirror) async throws -> (came: [Day], went: [Day]) {
        let came = try await testMirror.fetch()
        return try await testMirror.mirror { mirror in
            let plan = try mirror.range.pruning()
            let done = try await mirror.retention.apply(isAsked: true)
            #expect(plan.days == done.days && done.refused.isEmpty)
            #expect(try mirror.range.pruning().days.isEmpty)
            return (came, done.days.map(\.day))
        }
    }

    @Test("Retention of nothing asks for all; by time, made shorter, lets go, and made longer, fetches again")
    func changed() async throws {
        let testMirror = try testMirror()
        #expect(try await sync(testMirror) == (Array(ago(29)...today), []))
        testMirror.settings.keep = Span("10d")
        #expect(try await sync(testMirror) == ([], Array(ago(29)...ago(11))))
        #expect(try await sync(testMirror) == ([], []))
        testMirror.settings.keep = Span("12d")
        #expect(try await sync(testMirror) == ([ago(12), ago(11)], []))
        testMirror.settings.keep = nil
        #expect(try await sync(testMirror) == (Array(ago(29)...ago(13)), []))
        try await testMirror.audit()
        #expect(try testMirror.catalog.summary().pruned == 0)
    }

    @Test("Retention by time counts from the newest day that has begun, also by a clock that is behind")
    func clocks() async throws {
        let testMirror = try testMirror()
        testMirror.clock.jump(days: 300)
        testMirror.nasa.add(Entry(ago(-300), bytes: 1_000))
        try await sync(testMirror)
        testMirror.settings.keep = Span("10d")
        for (days, went) in [(-700, []), (385, Array(ago(29)...ago(26))), (15, Array(ago(25)...ago(11)))] {
            testMirror.clock.jump(days: days)
            #expect(try await sync(testMirror) == ([], went))
        }
    }

    @Test("Retention by time believes no clock that is far ahead, and wants of earlier days those that stay")
    func clockAhead() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.keep = Span("2m")
        testMirror.clock.jump(days: 400)
        #expect(try await sync(testMirror) == ([], []))
        for (keep, wanted) in [("2m", ago(29)...ago(5)), ("1d", nil)] {
            testMirror.settings.keep = Span(keep)
            let range = try await testMirror.mirror { try $0.range.wanted(until: ago(5)) }
            #expect(range == wanted)
        }
    }

    @Test("Retention remembers how much the newest that it let go of took, whatever older day goes later")
    func goesLater() async throws {
        let testMirror = try testMirror()
        testMirror.nasa[ago(20)]?.bytes = 50_000
        try await sync(testMirror)
        func longAgo(_ work: () async throws -> Void) async throws {
            let now = testMirror.clock.now
            testMirror.clock.set(now - 100 * 86_400)
            try await work()
            testMirror.clock.set(now)
        }
        func released() async throws -> Int? {
            let bytes = try testMirror.catalog.fact(.released)
            try await testMirror.close()
            return bytes
        }
        try await longAgo { try await testMirror.favor([ago(20)]) }
        testMirror.settings.keep = Span("1d")
        let went = try await sync(testMirror).went
        #expect(went.count > 20 && !went.contains(ago(20)))
        let before = try #require(try await released())
        #expect(before > 50_000)
        try await longAgo { try await testMirror.unfavor([ago(20)]) }
        #expect(try await sync(testMirror).went == [ago(20)])
        #expect(try await released() == before)
    }

    @Test(
        "Retention takes former files of days that go; by size, none replaced lately; texts stay"
    )
    func former() async throws {
        let testMirror = try testMirror()
        testMirror.settings.recheckDays = 24
        try await sync(testMirror)
        for age in [2, 20, 21] { testMirror.nasa[ago(age)]?.media = .picture(.gif) }
        testMirror.nasa[ago(22)]?.explanation = "Another text."
        try await testMirror.sync()
        try await testMirror.close()
        func replaced() -> [String] {
            listing(testMirror[".apod-mirror/replaced"]).filter { !$0.hasSuffix("/") }
        }
        let texts = replaced().filter { $0.hasSuffix("json") }
        #expect(texts.count == 4 && replaced().count == 7)
        testMirror.settings.maxTotal = 1_500_000
        try await sync(testMirror)
        #expect(try testMirror.catalog.summary().pruned > 10 && replaced().count == 7)
        try await testMirror.close()
        testMirror.settings.maxTotal = nil
        testMirror.settings.keep = Span("10d")
        let plan = try await testMirror.mirror { try $0.range.pruning() }
        #expect(Set(plan.replaced.map(\.day)) == [ago(20), ago(21)])
        try await sync(testMirror)
        #expect(replaced().count == 5 && replaced().filter { $0.hasSuffix("json") } == texts)
        #expect(try await testMirror.mirror { try $0.range.pruning() }.isEmpty)
        try await testMirror.audit()
    }

    @Test("Retention by size spares what was replaced of a favorite that ended not long ago")
    func replaced() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        for day in [ago(1), today] { testMirror.nasa[day]?.media = .picture(.gif) }
        try await testMirror.sync()
        try await testMirror.close()
        testMirror.clock.pass(days: 91)
        testMirror.nasa.add(Entry(today.advanced(by: 91), bytes: 1_000))
        try await testMirror.sync()
        try await testMirror.close()
        try await testMirror.favor([today])
        try await testMirror.unfavor([today])
        testMirror.settings.maxTotal = 2_000_000
        let plan = try await testMirror.mirror { try $0.range.pruning() }
        #expect(plan.replaced.map(\.day) == [ago(1)])
        // No picture goes where that is enough.
        testMirror.settings.maxTotal = try testMirror.catalog.bytes() - 1
        try await testMirror.close()
        let next = try await testMirror.mirror { try $0.range.pruning() }
        #expect(next.replaced.map(\.day) == [ago(1)] && next.days.isEmpty)
    }
}
