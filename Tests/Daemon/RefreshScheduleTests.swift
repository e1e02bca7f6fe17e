import Apod
import Glibc
import Testing

@testable import Daemon

extension RefreshSchedule {
    /// All that is new was asked for today.
    fileprivate func next(newest: Day?, at now: Int) -> Int {
        next(Known(newest: newest, whole: newest, answered: now), at: now)
    }

    fileprivate mutating func ask(at now: Int, newest: Day?) {
        ask(Known(newest: newest, whole: newest, answered: now), at: now)
    }
}

@Suite("The schedule")
struct RefreshScheduleTests {
    private static func moment(_ text: String) -> Int { Time.seconds(text)! }

    /// What is known: the newest day that is there with its picture, when the upstream answered last, and until when it
    /// asks to be left alone; when it was asked in vain since then. Without a letter, moments are of 2026-11-20.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        var whole: String? = "2026-11-19"
        var newest: String?
        var answered: String?
        var quiet: String?
        var asked: [String] = []
        let now: String
        let next: String
    }

    static let table: [Row] = [
        // Today.
        .init(
            description: "it is there: tomorrow", whole: "2026-11-20", answered: "06:00:00", now: "18:00:00",
            next: "2026-11-21T05:05:00Z"),
        .init(
            description: "asked for from midnight on", whole: "2026-11-20", answered: "05:00:00", now: "18:00:00",
            next: "2026-11-21T05:05:00Z"),
        .init(
            description: "others brought it", whole: "2026-11-20", answered: "04:59:59", now: "18:00:00",
            next: "18:00:00"),
        .init(
            description: "others brought it before it was due", whole: "2026-11-20", answered: "04:59:59",
            now: "05:01:00", next: "05:05:00"),
        .init(description: "others brought it at first", whole: "2026-11-20", now: "18:00:00", next: "18:00:00"),
        .init(
            description: "asked for by a clock that was ahead", whole: "2026-11-20", answered: "18:00:01",
            now: "18:00:00", next: "18:00:00"),
        .init(
            description: "asked for in this second", whole: "2026-11-20", answered: "18:00:00", now: "18:00:00",
            next: "2026-11-21T05:05:00Z"),
        .init(
            description: "its picture is awaited", newest: "2026-11-20", answered: "12:00:00", now: "18:00:00",
            next: "18:00:00"),
        .init(description: "nothing is there at all", whole: nil, now: "05:01:00", next: "05:01:00"),
        .init(description: "not before its time", now: "05:01:00", next: "05:05:00"),
        .init(description: "not before midnight", answered: "2026-11-19T12:00:00Z", now: "04:59:59", next: "05:05:00"),
        .init(description: "at once when it is late", now: "12:00:00", next: "12:00:00"),
        // Asked in vain.
        .init(description: "once", asked: ["12:00:00"], now: "12:00:00", next: "12:05:00"),
        .init(description: "once, a moment ago", asked: ["12:00:00"], now: "12:04:59", next: "12:05:00"),
        .init(description: "once, long ago", asked: ["12:00:00"], now: "12:10:00", next: "12:10:00"),
        .init(
            description: "three times", asked: ["12:00:00", "12:05:00", "12:15:00"], now: "12:16:00", next: "12:35:00"),
        .init(
            description: "often, shortly before midnight",
            asked: Array(repeating: "2026-11-21T04:00:00Z", count: 9), now: "2026-11-21T04:00:00Z",
            next: "2026-11-21T05:05:00Z"),
        .init(
            description: "often, for the day before", asked: Array(repeating: "2026-11-21T04:00:00Z", count: 9),
            now: "2026-11-21T05:06:00Z", next: "2026-11-21T05:06:00Z"),
        // An upstream that asks to be left alone.
        .init(description: "until a moment ago", quiet: "11:59:59", now: "12:00:00", next: "12:00:00"),
        .init(description: "for some hours", quiet: "14:00:00", now: "12:00:00", next: "14:00:00"),
        .init(
            description: "for longer than the pause", quiet: "14:00:00", asked: ["12:00:00"], now: "12:00:00",
            next: "14:00:00"),
        .init(
            description: "for less than the pause", quiet: "12:01:00", asked: ["12:00:00"], now: "12:00:00",
            next: "12:05:00"),
        .init(
            description: "until tomorrow's is due", whole: "2026-11-20", answered: "12:00:00", quiet: "20:00:00",
            now: "18:00:00", next: "2026-11-21T05:05:00Z"),
        .init(
            description: "behind tomorrow's", whole: "2026-11-20", answered: "12:00:00",
            quiet: "2026-11-21T12:00:00Z", now: "18:00:00", next: "2026-11-21T12:00:00Z"),
        .init(description: "before the first day", whole: nil, quiet: "14:00:00", now: "12:00:00", next: "14:00:00"),
        // The nights in which the clocks are changed.
        .init(
            description: "forward: before", whole: "2026-03-07", answered: "2026-03-07T12:00:00Z",
            now: "2026-03-07T12:00:00Z", next: "2026-03-08T05:05:00Z"),
        .init(
            description: "forward: behind", whole: "2026-03-08", answered: "2026-03-08T12:00:00Z",
            now: "2026-03-08T12:00:00Z", next: "2026-03-09T04:05:00Z"),
        .init(
            description: "back: before", whole: "2026-10-31", answered: "2026-10-31T12:00:00Z",
            now: "2026-10-31T12:00:00Z", next: "2026-11-01T04:05:00Z"),
        .init(
            description: "back: behind", whole: "2026-11-01", answered: "2026-11-01T12:00:00Z",
            now: "2026-11-01T12:00:00Z", next: "2026-11-02T05:05:00Z"),
        // A clock that jumps.
        .init(description: "back by a day", asked: ["2026-11-21T12:00:00Z"], now: "12:00:00", next: "12:00:00"),
        .init(description: "ahead by two days", asked: ["2026-11-18T12:00:00Z"], now: "12:00:00", next: "12:00:00"),
        .init(
            description: "back to 1995", whole: "2026-11-20", answered: "06:00:00", now: "1995-06-16T00:00:00Z",
            next: "1995-06-17T04:05:00Z"),
    ]

    @Test("What is known says when to ask next", arguments: table)
    func rows(row: Row) {
        func moment(_ text: String) -> Int { Self.moment(text.count > 8 ? text : "2026-11-20T\(text)Z") }
        let known = RefreshSchedule.Known(
            newest: (row.newest ?? row.whole).flatMap { Day($0) }, whole: row.whole.flatMap { Day($0) },
            answered: row.answered.map(moment), quiet: row.quiet.map(moment))
        var schedule = RefreshSchedule(jitter: 0)
        for asked in row.asked { schedule.ask(known, at: moment(asked)) }
        #expect(Time.text(schedule.next(known, at: moment(row.now))) == Time.text(moment(row.next)))
    }

    @Test(
        "A day begins in New York when it does there, summer and winter",
        arguments: [
            ("2026-11-20T04:59:59Z", "2026-11-19"), ("2026-11-20T05:00:00Z", "2026-11-20"),
            ("2026-07-20T03:59:59Z", "2026-07-19"), ("2026-07-20T04:00:00Z", "2026-07-20"),
            // The nights in which the clocks are changed.
            ("2026-03-08T04:59:59Z", "2026-03-07"), ("2026-03-08T05:00:00Z", "2026-03-08"),
            ("2026-03-09T03:59:59Z", "2026-03-08"), ("2026-03-09T04:00:00Z", "2026-03-09"),
            ("2026-11-01T03:59:59Z", "2026-10-31"), ("2026-11-01T04:00:00Z", "2026-11-01"),
            ("2026-11-02T04:59:59Z", "2026-11-01"), ("2026-11-02T05:00:00Z", "2026-11-02"),
            // March 2037 begins with a Sunday, and so does November 2026; March 2031 begins with a Saturday.
            ("2037-03-08T04:59:59Z", "2037-03-07"), ("2037-03-09T04:00:00Z", "2037-03-09"),
            ("2031-03-09T05:00:00Z", "2031-03-09"), ("2031-03-10T04:00:00Z", "2031-03-10"),
            ("2037-11-01T04:00:00Z", "2037-11-01"), ("2037-11-02T04:59:59Z", "2037-11-01"),
        ])
    func days(moment: String, day: String) {
        #expect(NewYork.day(at: Self.moment(moment)) == Day(day))
    }

    @Test(
        "Five minutes past midnight is found on every kind of day",
        arguments: [
            ("2026-11-20", "2026-11-20T05:05:00Z"), ("2026-07-20", "2026-07-20T04:05:00Z"),
            ("2026-03-08", "2026-03-08T05:05:00Z"), ("2026-03-09", "2026-03-09T04:05:00Z"),
            ("2026-11-01", "2026-11-01T04:05:00Z"), ("2026-11-02", "2026-11-02T05:05:00Z"),
        ])
    func dueMoments(day: String, moment: String) {
        #expect(NewYork.moment(of: Day(day)!, second: 300) == Self.moment(moment))
    }

    @Test(
        "By a clock that is far behind or far ahead, nobody is asked all the time",
        arguments: [-1, 0, 86_400, 757_382_400, 803_260_800, 803_347_200, 3_976_214_400, 253_402_300_800, 1 << 40])
    func absurdClocks(now: Int) {
        for newest in [nil, Day.first, Day("2026-11-20"), Day("2094-12-31")] {
            var schedule = RefreshSchedule(jitter: 100)
            var moments = [schedule.next(newest: newest, at: now)]
            for _ in 1...20 {
                schedule.ask(at: moments.last!, newest: newest)
                moments.append(schedule.next(newest: newest, at: moments.last!))
            }
            #expect(moments[0] >= now)
            #expect(zip(moments, moments.dropFirst()).allSatisfy { $1 - $0 >= 300 }, "\(newest as Any): \(moments)")
        }
    }

    @Test("With today's picture, the next is asked for after the next midnight in New York, and the jitter")
    func contented() {
        let schedule = RefreshSchedule(jitter: 100)
        let next = schedule.next(newest: Day("2026-11-20"), at: Self.moment("2026-11-20T18:00:00Z"))
        #expect(next == Self.moment("2026-11-21T05:06:40Z"))
    }

    @Test("What is missing is asked for at once, but not before its time")
    func catchingUp() {
        let schedule = RefreshSchedule(jitter: 0)
        for newest in [nil, Day("2026-11-01"), Day("2026-11-19")] {
            let noon = Self.moment("2026-11-20T17:00:00Z")
            #expect(schedule.next(newest: newest, at: noon) == noon)
            let early = Self.moment("2026-11-20T05:01:00Z")
            let due = newest == nil ? early : Self.moment("2026-11-20T05:05:00Z")
            #expect(schedule.next(newest: newest, at: early) == due)
        }
    }

    @Test("A late day is asked for after 5, 10, 20, 40, 80 and then every 120 minutes, and anew after midnight")
    func lateDay() {
        var schedule = RefreshSchedule(jitter: 0)
        var now = Self.moment("2026-11-20T05:05:00Z")
        let newest = Day("2026-11-19")!
        var pauses: [Int] = []
        for _ in 1...16 {
            schedule.ask(at: now, newest: newest)
            let next = schedule.next(newest: newest, at: now)
            pauses.append((next - now) / 60)
            now = next
        }
        #expect(pauses == [5, 10, 20, 40, 80, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 85])
        #expect(now == Self.moment("2026-11-21T05:05:00Z"))
        schedule.ask(at: now, newest: newest)
        #expect(schedule.next(newest: newest, at: now) == now + 300)
    }

    @Test("Who starts again and again does not ask each time")
    func restarts() {
        let asked = Self.moment("2026-11-20T12:00:00Z")
        let schedule = RefreshSchedule(jitter: 0, asked: asked)
        #expect(schedule.next(newest: Day("2026-11-19"), at: asked + 10) == asked + 300)
        #expect(schedule.next(newest: Day("2026-11-19"), at: asked + 86_400) == asked + 86_400)
    }

    @Test("A clock that jumps a day, in either direction, delays nothing by more than a pause", arguments: [-1, 1])
    func jumps(days: Int) {
        let before = Self.moment("2026-11-20T12:00:00Z")
        var schedule = RefreshSchedule(jitter: 0)
        let newest = Day("2026-11-18")!
        schedule.ask(at: before, newest: newest)
        let after = before + days * 86_400
        let next = schedule.next(newest: newest, at: after)
        #expect(next >= after && next <= after + 300)
        schedule.ask(at: next, newest: Day("2026-11-21"))
        let following = schedule.next(newest: Day("2026-11-21"), at: next)
        #expect(following > next && following <= next + 2 * 86_400)
    }

    @Test("Who asked in vain the evening before asks again when the new day is due, however long the pause would be")
    func newDayIsDue() {
        var schedule = RefreshSchedule(jitter: 0)
        let (newest, evening) = (Day("2026-11-18")!, Self.moment("2026-11-20T04:30:00Z"))
        for _ in 1...8 { schedule.ask(at: evening, newest: newest) }
        let due = Self.moment("2026-11-20T05:05:00Z")
        for moment in ["04:30:00", "04:59:59", "05:00:00", "05:04:59"] {
            #expect(schedule.next(newest: newest, at: Self.moment("2026-11-20T\(moment)Z")) == due)
        }
    }

    @Test("What was asked for by a clock that was ahead does not make the pauses longer")
    func setBack() {
        var schedule = RefreshSchedule(jitter: 0)
        let now = Self.moment("2026-11-20T12:00:00Z")
        for hours in [3, 2, 1] { schedule.ask(at: now + hours * 3600, newest: Day("2026-11-19")) }
        schedule.ask(at: now, newest: Day("2026-11-19"))
        #expect(schedule.next(newest: Day("2026-11-19"), at: now) == now + 300)
    }

    @Test("A clock that was wrong at boot is believed when it is right")
    func wrongAtBoot() {
        var schedule = RefreshSchedule(jitter: 0)
        schedule.ask(at: 1_000, newest: nil)
        let now = Self.moment("2026-11-20T12:00:00Z")
        #expect(schedule.next(newest: nil, at: now) == now)
        var future = RefreshSchedule(jitter: 0)
        future.ask(at: now + 10 * 365 * 86_400, newest: nil)
        #expect(future.next(newest: nil, at: now) <= now + 300)
    }

    @Test("In a year each day is asked for once, minutes after it begins, whatever the clocks are changed to")
    func year() {
        var schedule = RefreshSchedule(jitter: 600)
        var now = Self.moment("2026-01-01T17:00:00Z")
        var newest = Day("2025-12-31")!
        for number in 0..<365 {
            let day = Day("2026-01-01")!.advanced(by: number)
            now = schedule.next(newest: newest, at: now)
            #expect(NewYork.day(at: now) == day)
            if number > 0 { #expect(now == NewYork.moment(of: day, second: 900)) }
            newest = day
            schedule.ask(at: now, newest: newest)
        }
    }
}
