import Apod
import Files
import Synchronization
import TestSupport
import Testing

@testable import Store

struct RetryPolicyTests {
    private typealias State = Item.State
    private static let oneDay = 86_400

    /// 1970, 1994, the first day, an evening of 2026 and a time in which there are no days any more.
    private static let moments = [0, 1, 757_382_400, 803_260_800, 1_795_219_199, 1 << 40]

    /// How long a day was put off, in seconds from now, and whether that is believed.
    private static let postponements: [(seconds: Int?, holds: Bool)] = [
        (nil, false), (-(1 << 40), false), (-1, false), (0, false), (1, true), (31 * oneDay - 1, true),
        // By a clock that was ahead.
        (31 * oneDay, false), (1 << 40, false),
    ]

    /// All of what can be known of a day, each of another one, and whether it is due.
    private static func table(at now: Int) -> [(item: Item, isDue: Bool)] {
        var table: [(Item, Bool)] = []
        for state in State.allCases {
            for (seconds, holds) in postponements {
                let day = Day.first.advanced(by: table.count)
                var item = Item(.day(day), state, retryAfter: seconds.map { now + $0 })
                if state == .mirrored { item.stored = ItemRuleTests.stored([.picture], of: item.key) }
                table.append((item, state != .mirrored && !holds))
            }
        }
        return table
    }

    @Test(
        "A day is asked for that is not here or put off; a wrong clock puts nothing off for long",
        arguments: moments)
    func isDue(now: Int) throws {
        let catalog = try ArchiveFixture().openCatalog
        let table = Self.table(at: now)
        try catalog.record(table.map { Catalog.Update($0.item) })
        for (item, isDue) in table { #expect(Item.isDue(item, at: now) == isDue, "\(item)") }
        #expect(Item.isDue(nil, at: now))
        // The catalog asks for those, and no others.
        let unknown = Day.first.advanced(by: table.count)
        let due = Set(table.filter(\.isDue).map(\.item.day))
        let failed = Set(table.filter { $0.isDue && $0.item.state == .failed }.map(\.item.day))
        #expect(try catalog.gaps(in: Day.first...unknown, at: now) == due.union([unknown]))
        #expect(try catalog.owing(at: now) == failed)
        #expect(try catalog.due(in: Day.first...unknown, at: now) == due.union([unknown]))
        #expect(try catalog.due(in: unknown...unknown, at: now) == failed.union([unknown]))
        #expect(try catalog.due(in: Day.first...Day.first, at: now) == due.intersection([.first]))
        // Whoever names a range is not put off.
        let lacking = Set(table.filter { $0.item.state != .mirrored }.map(\.item.day))
        #expect(try catalog.gaps(in: Day.first...unknown) == lacking.union([unknown]))
    }

    @Test("Favorites are asked for, whatever is known of them, as soon as their day has begun somewhere")
    func favorites() throws {
        let catalog = try ArchiveFixture().openCatalog
        let now = november(20).noon
        let table = Self.table(at: now)
        try catalog.record(table.map { Catalog.Update($0.item) })
        let others = [november(20), november(21), november(22)]
        let favorites = Set(table.map(\.item.day) + others)
        #expect(
            try catalog.due(among: favorites, at: now) == Set(table.filter(\.isDue).map(\.item.day) + others[...1]))
        // What NASA was said not to have is asked for anew.
        try catalog.askAgain(for: favorites)
        let due = Set(table.filter { $0.isDue || $0.item.state == .absent }.map(\.item.day))
        #expect(try catalog.due(among: favorites, at: now) == due.union(others[...1]))
        #expect(try catalog.due(among: favorites, at: now + Self.oneDay).isSuperset(of: others))
        // By a clock that stands in 1970, all but the first days are still to come.
        let early = try ArchiveFixture().openCatalog
        #expect(try early.due(among: favorites, at: 0) == [.first, Day.first.advanced(by: 1)])
    }

    @Test("Pauses until a day is asked for again are a day, two, four, … and a month at most")
    func pauses() {
        let days = [Int.min, 0, 2, 3, 7, 8, .max].map { RetryPolicy.pause(after: $0) / Self.oneDay }
        #expect(days == [1, 1, 2, 4, 30, 30, 30])
    }

    @Test(
        "A day has just begun, or can still be published, by its distance from today",
        arguments: [
            // In days: the day and the newest that is known; has just begun, is young.
            (2, nil, true, true), (0, nil, true, true), (-1, nil, true, true), (-2, nil, false, false),
            (0, 0, true, false), (0, -1, true, true), (-4, -5, false, true), (-5, -5, false, false),
            (-40, -50, false, true), (1, 0, true, true),
        ] as [(Int, Int?, Bool, Bool)])
    func distances(days: Int, newest: Int?, hasJustBegun: Bool, isYoung: Bool) {
        let today = november(20)
        let (one, other) = (today.advanced(by: days), newest.map { today.advanced(by: $0) })
        for now in [today.number * Self.oneDay, today.noon, today.number * Self.oneDay + Self.oneDay - 1] {
            #expect(RetryPolicy.hasJustBegun(one, at: now) == hasJustBegun)
            #expect(RetryPolicy.isYoung(one, newest: other, at: now) == isYoung)
        }
    }

    @Test("A picture is decoded again and a favorite asked for after an hour")
    func anHour() {
        let (now, moment) = (november(20).noon, ContinuousClock.now)
        for (seconds, isPaused) in [(-1, false), (0, true), (3599, true), (3600, false)] {
            #expect(RetryPolicy.pausesDecoding(since: now, at: now + seconds) == isPaused)
            let isWaiting = RetryPolicy.isPaused(favoriteSince: moment, at: moment + .seconds(seconds))
            #expect(isWaiting == isPaused || seconds < 0)
        }
    }

    @Test("By a clock before 1995, every day has just begun", arguments: [0, 757_382_400, 803_174_400])
    func early(now: Int) {
        #expect(RetryPolicy.latest(at: now) == Day.first.advanced(by: 1))
        #expect([Day.first, november(20)].allSatisfy { RetryPolicy.hasJustBegun($0, at: now) })
    }
}

struct RetryNoteTests {
    private let now = november(20).noon

    private func days(_ status: Item) -> Int? { status.retryAfter.map { ($0 - now) / 86_400 } }

    /// The pauses after one note after the other, in days; nil: none.
    private func pauses(_ count: Int, _ note: (Item?) -> Item) -> [Int?] {
        var status: Item?
        return (1...count).map { number in
            let next = note(status)
            status = next
            #expect(next.attempts == number)
            return days(next)
        }
    }

    @Test(
        "A day that failed is tried twice more at once, and while its error passes or it has just begun",
        arguments: [
            (-2, false, [nil, nil, 1, 2, 4, 8, 16, 30, 30]), (-2, true, [nil, nil, nil, nil, nil]),
            (-1, false, [nil, nil, nil, nil, nil]), (0, false, [nil, nil, nil, nil, nil]),
        ] as [(Int, Bool, [Int?])])
    func failures(days: Int, isPassing: Bool, expected: [Int?]) {
        let day = Day(utc: now).advanced(by: days)
        let noted = pauses(expected.count) { previous in
            let status = Item.failed(.day(day), after: previous, why: "x", isPassing: isPassing, at: now)
            #expect(status.day == day && status.state == .failed && status.failure == "x")
            return status
        }
        #expect(noted == expected)
    }

    @Test(
        "What a day lacks is asked for again, but not at every sync, and the rest of its status stays",
        arguments: Item.State.allCases)
    func later(state: Item.State) async throws {
        let fixture = try ArchiveFixture()
        try await fixture.add(november(1))
        var before = try #require(try fixture.storedDays().first)
        (before.state, before.attempts, before.retryAfter, before.failure) = (state, 2, 7, "why")
        var expected = before
        (expected.attempts, expected.retryAfter) = (3, now + 4 * 86_400)
        #expect(before.later(at: now) == expected)
        let failed = Item.failed(before.key, after: before, why: "new", isPassing: false, at: now)
        #expect(failed.stored == before.stored && failed.attempts == 3 && days(failed) == 1)
        let wanting = Item.wanting(before.key, state, after: nil, at: now)
        #expect(wanting == Item(.day(before.day), state, retryAfter: now + 86_400, attempts: 1))
    }
}
