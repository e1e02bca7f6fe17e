import Apod
import Archive
import Catalog
import Configuration
import Daemon
import Glibc
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

    private func wanted(_ testMirror: TestMirror, until last: Day? = nil) async throws -> ClosedRange<Day>? {
        try await testMirror.mirror { try $0.range.wanted(until: last ?? $0.today) }
    }

    @Test(
        "Retention leaves out a month in which nothing can be done, says so, and lets go of the others",
        .enabled(if: ImmutableFolder.canBeMade, "needs root and immutable files"))
    func refused() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.keep = Span("3d")
        let october = (0..<30).map(ago).filter { $0.folder == "2026/10" }.count
        var held: ImmutableFolder? = try ImmutableFolder(testMirror["2026/10"])
        try await testMirror.mirror { mirror in
            let done = try await mirror.retention.apply(isAsked: true)
            #expect(done.days.map(\.day) == Array(ago(19)...ago(4)) && done.refused.count == october)
            #expect(done.notices.count == 2)
            let words = try #require(done.notices.last?.words)
            let place = "cannot write in \(testMirror["2026/10"]): "
            #expect(words.hasPrefix("\(october) days stay that are to be deleted: \(place)"), "\(words)")
            #expect(done.notices.last?.failure?.number == Int(EPERM))
        }
        try await testMirror.audit()
        try await testMirror.close()
        _ = held.take()
        try await testMirror.mirror { mirror in
            let done = try await mirror.retention.apply(isAsked: true)
            #expect(done.days.count == october && done.refused.isEmpty && done.notices.count == 1)
        }
        try await testMirror.audit()
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

    @Test("Retention by time counts from the newest day, not from a clock that may be wrong")
    func wrongClock() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.keep = Span("2m")
        testMirror.clock.jump(days: 400)
        #expect(try await sync(testMirror) == ([], []))
        // What is fetched before the newest day stays too.
        #expect(try await wanted(testMirror, until: ago(5)) == ago(29)...ago(5))
        testMirror.settings.keep = Span("1d")
        #expect(try await wanted(testMirror, until: ago(5)) == nil)
    }

    @Test("Retention by time lets nothing go by a clock that is behind")
    func clockBehind() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.keep = Span("10d")
        testMirror.clock.jump(days: -400)
        #expect(try await sync(testMirror) == ([], []))
        testMirror.clock.jump(days: 385)
        #expect(try await sync(testMirror) == ([], Array(ago(29)...ago(26))))
        testMirror.clock.pass(days: 15)
        #expect(try await sync(testMirror).went == Array(ago(25)...ago(11)))
    }

    @Test("Retention by time does not count from a day that is still to come")
    func dayToCome() async throws {
        let testMirror = try testMirror()
        testMirror.clock.jump(days: 300)
        testMirror.nasa.add(Entry(ago(-300), bytes: 1_000))
        try await sync(testMirror)
        testMirror.clock.jump(days: -300)
        testMirror.settings.keep = Span("10d")
        #expect(try await sync(testMirror).went == Array(ago(29)...ago(11)))
    }

    @Test("Retention by size keeps the newest, and comes to rest")
    func size() async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.maxTotal = 2_000_000
        let (came, went) = try await sync(testMirror)
        #expect(came.isEmpty && went.first == ago(29) && 8...15 ~= went.count)
        let bytes = try testMirror.catalog.bytes()
        #expect(1_880_000...2_000_000 ~= bytes)
        try await testMirror.audit()
        try await testMirror.close()
        testMirror.nasa.server.forgetRequests()
        #expect(try await sync(testMirror) == ([], []))
        #expect(testMirror.fileRequests.isEmpty)
        testMirror.settings.maxTotal = 20_000_000
        let again = try await sync(testMirror)
        #expect(again.came == went && again.went.isEmpty)
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
        "Retention by time takes what was replaced of days that go, by size nothing replaced lately, and no texts"
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

    @Test("Retention does not forget a day that cannot be had again", arguments: [404, 503, nil])
    func lost(status: Int?) async throws {
        let testMirror = try testMirror()
        try await sync(testMirror)
        testMirror.settings.keep = Span("10d")
        try await sync(testMirror)
        let before = try testMirror.bytes(ago(20), "json")
        if let status {
            testMirror.nasa.answer(".jpg", .html(status))
        } else {
            testMirror.nasa[ago(20)] = nil
        }
        try await testMirror.mirror { mirror in
            for try await _ in mirror.refresh().running(.days([ago(20)])) {}
        }
        // Which alone remembers what was deleted.
        #expect(try testMirror.bytes(ago(20), "json") == before)
        #expect(try testMirror.status(ago(20))?.state == .pruned)
        try await testMirror.audit()
    }
}
