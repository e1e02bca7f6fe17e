import Apod
import Archive
import Favorites
import Files
import Service
import TestSupport
import Testing

@Suite("Retention")
struct RetentionTests {
    private let today = Observatory.today

    /// Thirty days with pictures of 100 KB; the JSON takes up some more.
    private func observatory(keep: String? = nil, maxTotal: Int? = nil) throws -> Observatory {
        try Observatory(days: 30, bytes: 100_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -29)
            settings.keep = keep.flatMap { Span($0) }
            settings.maxTotal = maxTotal
        }
    }

    private func ago(_ days: Int) -> Day { today.advanced(by: -days) }

    /// As `sync` does it. Returns the days that came and those that went.
    @discardableResult
    private func sync(_ observatory: Observatory) async throws -> (came: [Day], went: [Day]) {
        let came = try await observatory.fetch()
        return try await observatory.session { session in
            let plan = try await session.retention.plan()
            let done = try await session.retention.apply()
            #expect(plan.days == done.days && done.left.isEmpty)
            #expect(try await session.retention.plan().days.isEmpty)
            return (came, done.days.map(\.day))
        }
    }

    private func wanted(_ observatory: Observatory, until last: Day? = nil) async throws -> ClosedRange<Day>? {
        try await observatory.session { try $0.wanted(until: last ?? $0.today) }
    }

    @Test("of nothing asks for all, and lets go of nothing")
    func unset() async throws {
        let observatory = try observatory()
        let (came, went) = try await sync(observatory)
        #expect(came.count == 30 && went.isEmpty)
        #expect(try await wanted(observatory) == ago(29)...today)
    }

    @Test("by time asks for what it keeps, and for no more")
    func keep() async throws {
        let observatory = try observatory(keep: "10d")
        #expect(try await sync(observatory) == (Array(ago(10)...today), []))
        observatory.clock.pass(days: 3)
        for age in 1...3 { observatory.nasa.add(Entry(today.advanced(by: age), bytes: 1_000)) }
        let (came, went) = try await sync(observatory)
        #expect(came.count == 3 && went == Array(ago(10)...ago(8)))
        #expect(try await sync(observatory) == ([], []))
        try await observatory.audit()
    }

    @Test(
        "leaves out a month in which nothing can be done, says so, and lets go of the others",
        .enabled(if: ImmutableFolder.canBeMade))
    func refused() async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.keep = Span("3d")
        let october = (0..<30).map(ago).filter { $0.folder == "2026/10" }.count
        var held: ImmutableFolder? = try ImmutableFolder("\(observatory.root)/2026/10")
        try await observatory.session { session in
            let done = try await session.retention.apply(atOnce: true)
            #expect(done.days.map(\.day) == Array(ago(19)...ago(4)) && done.refused.count == october)
            #expect(done.notices.count == 2)
            let words = try #require(done.notices.last?.words)
            let month = "\(observatory.root)/2026/10"
            #expect(words.hasPrefix("\(october) days stay that are to be deleted: cannot write in \(month): "))
            #expect(words.contains("`sudo chattr -i`"))
        }
        try await observatory.audit()
        try await observatory.close()
        _ = held.take()
        try await observatory.session { session in
            let done = try await session.retention.apply(atOnce: true)
            #expect(done.days.count == october && done.refused.isEmpty && done.notices.count == 1)
        }
        try await observatory.audit()
    }

    @Test("by time, made shorter, lets go, and made longer, fetches again")
    func changed() async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.keep = Span("10d")
        #expect(try await sync(observatory) == ([], Array(ago(29)...ago(11))))
        #expect(try await sync(observatory) == ([], []))
        observatory.settings.keep = Span("12d")
        #expect(try await sync(observatory) == ([ago(12), ago(11)], []))
        observatory.settings.keep = nil
        #expect(try await sync(observatory) == (Array(ago(29)...ago(13)), []))
        try await observatory.audit()
        #expect(try observatory.archive().catalog.summary().pruned == 0)
    }

    @Test("by time counts from the newest day, not from a clock that may be wrong")
    func wrongClock() async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.keep = Span("2m")
        observatory.clock.jump(days: 400)
        #expect(try await sync(observatory) == ([], []))
        // What is fetched before the newest day stays too.
        #expect(try await wanted(observatory, until: ago(5)) == ago(29)...ago(5))
        observatory.settings.keep = Span("1d")
        #expect(try await wanted(observatory, until: ago(5)) == nil)
    }

    @Test("by time lets nothing go by a clock that is behind")
    func clockBehind() async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.keep = Span("10d")
        observatory.clock.jump(days: -400)
        #expect(try await sync(observatory) == ([], []))
        observatory.clock.jump(days: 385)
        #expect(try await sync(observatory) == ([], Array(ago(29)...ago(26))))
        observatory.clock.pass(days: 15)
        #expect(try await sync(observatory).went == Array(ago(25)...ago(11)))
    }

    @Test("by time does not count from a day that is still to come")
    func dayToCome() async throws {
        let observatory = try observatory()
        observatory.clock.jump(days: 300)
        observatory.nasa.add(Entry(ago(-300), bytes: 1_000))
        try await sync(observatory)
        observatory.clock.jump(days: -300)
        observatory.settings.keep = Span("10d")
        #expect(try await sync(observatory).went == Array(ago(29)...ago(11)))
    }

    @Test("by size keeps the newest, and comes to rest")
    func size() async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.maxTotal = 2_000_000
        let (came, went) = try await sync(observatory)
        #expect(came.isEmpty && went.first == ago(29) && 8...15 ~= went.count)
        let bytes = try observatory.archive().catalog.bytes()
        #expect(1_880_000...2_000_000 ~= bytes)
        try await observatory.audit()
        try await observatory.close()
        observatory.nasa.server.forgetRequests()
        #expect(try await sync(observatory) == ([], []))
        #expect(observatory.fileRequests.isEmpty)
        observatory.settings.maxTotal = 20_000_000
        let again = try await sync(observatory)
        #expect(again.came == went && again.went.isEmpty)
    }

    @Test("by size does not fetch what there is no room for")
    func first() async throws {
        let observatory = try Observatory(days: 120, bytes: 100_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -119)
            settings.maxTotal = 1_000_000
        }
        let (came, went) = try await sync(observatory)
        // One page of records is asked for, and the newest days before it.
        #expect(came.count < 40 && came.last == today && came.count > went.count)
        #expect(try observatory.archive().catalog.bytes() <= 1_000_000)
        try await observatory.close()
        #expect(try await sync(observatory) == ([], []))
        try await observatory.audit()
    }

    @Test("by size does not fetch a large picture again and again")
    func large() async throws {
        let observatory = try observatory(maxTotal: 1_500_000)
        observatory.nasa[ago(5)]?.bytes = 900_000
        for age in 6...29 { observatory.nasa[ago(age)] = nil }
        #expect(try await sync(observatory).went == [])
        observatory.clock.pass(days: 1)
        observatory.nasa.add(Entry(today.advanced(by: 1), bytes: 200_000))
        #expect(try await sync(observatory) == ([today.advanced(by: 1)], [ago(5)]))
        #expect(try observatory.archive().catalog.bytes() < 1_000_000)
        try await observatory.close()
        #expect(try await sync(observatory) == ([], []))
        observatory.settings.maxTotal = 1_800_000
        #expect(try await sync(observatory) == ([ago(5)], []))
    }

    @Test("by size too small for a single picture keeps the newest, and asks for what is newer")
    func tiny() async throws {
        let observatory = try observatory(maxTotal: 1_000)
        let (_, went) = try await sync(observatory)
        #expect(went.last == ago(1))
        #expect(target(of: "\(observatory.root)/latest")?.contains("2026-11-20") == true)
        #expect(try await wanted(observatory) == today...today)
        observatory.clock.pass(days: 1)
        observatory.nasa.add(Entry(today.advanced(by: 1), bytes: 1_000))
        #expect(try await sync(observatory) == ([today.advanced(by: 1)], [today]))
        try await observatory.audit()
    }

    @Test("by size, with nothing but favorites over it, asks for what is newer only")
    func favoritesOnly() async throws {
        let observatory = try observatory(maxTotal: nil)
        try await sync(observatory)
        observatory.settings.maxTotal = 500_000
        try await observatory.favor(Array(ago(29)...today))
        #expect(try await sync(observatory) == ([], []))
        #expect(try await wanted(observatory) == today...today)
    }

    @Test("gives a day that became a favorite back, and keeps it")
    func wished() async throws {
        let observatory = try observatory(keep: "1d")
        observatory.settings.keep = nil
        try await sync(observatory)
        observatory.settings.keep = Span("10d")
        try await sync(observatory)
        let before = try observatory.bytes(ago(20), "json")
        try await observatory.favor([ago(20)])
        try await observatory.session { session in
            #expect(try session.wishes() == [ago(20)])
            for try await _ in session.refresh().start(.days([ago(20)])).events {}
            #expect(try session.wishes().isEmpty)
        }
        #expect(try await sync(observatory) == ([], []))
        #expect(observatory.files(ago(20)).count == 2)
        #expect(try observatory.bytes(ago(20), "json") != before)
        try await observatory.audit()
    }

    @Test("does not forget a day that cannot be had again", arguments: ["failed", "for now", "gone", "worse"])
    func lost(kind: String) async throws {
        let observatory = try observatory()
        try await sync(observatory)
        observatory.settings.keep = Span("10d")
        try await sync(observatory)
        let before = try observatory.bytes(ago(20), "json")
        switch kind {
        case "failed", "for now":
            let status = kind == "failed" ? 404 : 503
            observatory.nasa.intercept = { $0.path.hasSuffix(".jpg") ? .html(status) : nil }
        case "gone": observatory.nasa[ago(20)] = nil
        default: observatory.nasa[ago(20)]?.media = .placeholder
        }
        try await observatory.session { session in
            for try await _ in session.refresh().start(.days([ago(20)])).events {}
        }
        #expect(try observatory.bytes(ago(20), "json") == before)
        #expect(try observatory.standing(ago(20))?.state == .pruned)
        try await observatory.audit()
    }

    @Test("ends soon when it is cancelled, and goes on the next time")
    func cancelled() async throws {
        let observatory = try Observatory(days: 60, bytes: 1_000) { settings in
            settings.rate = 0
            settings.since = Observatory.today.advanced(by: -59)
        }
        try await sync(observatory)
        observatory.settings.keep = Span("1d")
        try await observatory.session { (session: Session) async throws -> Void in
            let work = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await session.retention.apply(atOnce: true)
            }
            #expect(try await work.value.days.isEmpty)
            #expect(try await session.retention.plan().days.count == 58)
            #expect(try await session.retention.apply(atOnce: true).days.count == 58)
        }
    }

    @Test("and a first day that a wrong clock chose, leave what is wanted", arguments: [false, true])
    func wrongFirstDay(isLate: Bool) async throws {
        let observatory = try observatory()
        observatory.settings.since = nil
        observatory.clock.jump(days: isLate ? 1000 : 0)
        _ = try await wanted(observatory)
        observatory.clock.jump(days: isLate ? -1000 : 20)
        #expect(try await wanted(observatory) == (isLate ? ago(30)...today : ago(30)...today.advanced(by: 20)))
    }
}
