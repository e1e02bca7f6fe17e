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
        ask(Known(newest: newest, whole: newest, answered: now), from: now, at: now)
    }
}

struct RefreshScheduleTests {
    private static func moment(_ text: String) -> Int { Time.seconds(text)! }

    /// What is known: the newest day that is there with its picture, when the upstream answered last, and until when it
    /// asks to be left alone; when it was asked in vain since then. All in November 2026; without a day, on the 20th, and
    /// without seconds, when the minute begins.
    struct Row: Sendable, CustomStringConvertible {
        let description: String
        var whole: Int? = 19
        var newest: Int?
        var answered: String?
        var quiet: String?
        var asked: [String] = []
        let now: String
        let next: String
    }

    static let table: [Row] = [
        // Today.
        .init(description: "it is there: tomorrow", whole: 20, answered: "06:00", now: "18:00", next: "21T05:05"),
        .init(description: "asked for from midnight on", whole: 20, answered: "05:00", now: "18:00", next: "21T05:05"),
        .init(description: "others brought it", whole: 20, answered: "04:59:59", now: "18:00", next: "18:00"),
        .init(description: "others brought it at first", whole: 20, now: "18:00", next: "18:00"),
        .init(
            description: "asked for by a clock that was ahead", whole: 20, answered: "18:00:01",
            now: "18:00", next: "18:00"),
        .init(description: "asked for in this second", whole: 20, answered: "18:00", now: "18:00", next: "21T05:05"),
        .init(description: "its picture is awaited", newest: 20, answered: "12:00", now: "18:00", next: "18:00"),
        .init(description: "nothing is there at all", whole: nil, now: "05:01", next: "05:01"),
        .init(description: "not before its time", now: "05:01", next: "05:05"),
        .init(description: "not before midnight", answered: "19T12:00", now: "04:59:59", next: "05:05"),
        .init(description: "at once when it is late", now: "12:00", next: "12:00"),
        // Asked in vain.
        .init(description: "once", asked: ["12:00"], now: "12:00", next: "12:05"),
        .init(description: "while it became due", asked: ["05:04-05:06"], now: "05:06", next: "05:06"),
        .init(description: "once, long ago", asked: ["12:00"], now: "12:10", next: "12:10"),
        .init(description: "three times", asked: ["12:00", "12:05", "12:15"], now: "12:16", next: "12:35"),
        .init(
            description: "often, shortly before midnight",
            asked: Array(repeating: "21T04:00", count: 9), now: "21T04:00", next: "21T05:05"),
        .init(
            description: "often, for the day before", asked: Array(repeating: "21T04:00", count: 9), now: "21T05:06",
            next: "21T05:06"),
        // An upstream that asks to be left alone.
        .init(description: "until a moment ago", quiet: "11:59:59", now: "12:00", next: "12:00"),
        .init(description: "for some hours", quiet: "14:00", now: "12:00", next: "14:00"),
        .init(description: "for longer than the pause", quiet: "14:00", asked: ["12:00"], now: "12:00", next: "14:00"),
        .init(description: "for less than the pause", quiet: "12:01", asked: ["12:00"], now: "12:00", next: "12:05"),
        .init(
            description: "until tomorrow's is due", whole: 20, answered: "12:00", quiet: "20:00",
            now: "18:00", next: "21T05:05"),
        .init(
            description: "behind tomorrow's", whole: 20, answered: "12:00",
            quiet: "21T12:00", now: "18:00", next: "21T12:00"),
        // A clock that jumps.
        .init(description: "back by a day", asked: ["21T12:00"], now: "12:00", next: "12:00"),
        .init(description: "ahead by two days", asked: ["18T12:00"], now: "12:00", next: "12:00"),
        .init(
            description: "back, again and again", asked: ["15:00", "14:00", "13:00", "12:00"],
            now: "12:00", next: "12:05"),
    ]

    @Test("What is known says when to ask next", arguments: table)
    func rows(row: Row) {
        func moment(_ text: String) -> Int {
            let seconds = text.count { $0 == ":" } == 1 ? ":00" : ""
            return Self.moment("2026-11-\(text.contains("T") ? "" : "20T")\(text)\(seconds)Z")
        }
        func day(_ number: Int?) -> Day? { number.flatMap { Day("2026-11-\($0)") } }
        let known = RefreshSchedule.Known(
            newest: day(row.newest ?? row.whole), whole: day(row.whole),
            answered: row.answered.map(moment), quiet: row.quiet.map(moment))
        var schedule = RefreshSchedule(jitter: 0)
        for asked in row.asked {
            let times = asked.split(separator: "-").map { moment(String($0)) }
            schedule.ask(known, from: times[0], at: times.last!)
        }
        #expect(Time.text(schedule.next(known, at: moment(row.now))) == Time.text(moment(row.next)))
    }

    @Test(
        "A day begins in New York when it does there, summer and winter",
        arguments: [
            ("2026-11-20T04:59:59Z", "2026-11-19"), ("2026-11-20T05:00:00Z", "2026-11-20"),
            ("2026-07-20T03:59:59Z", "2026-07-19"), ("2026-07-20T04:00:00Z", "2026-07-20"),
            // The nights in which the clocks are changed.
            ("2026-03-08T05:00:00Z", "2026-03-08"), ("2026-03-09T03:59:59Z", "2026-03-08"),
            ("2026-11-01T04:00:00Z", "2026-11-01"), ("2026-11-02T04:59:59Z", "2026-11-01"),
            // March 2037 begins with a Sunday, and so does November 2026; March 2031 begins with a Saturday.
            ("2037-03-08T04:59:59Z", "2037-03-07"), ("2031-03-10T04:00:00Z", "2031-03-10"),
        ])
    func days(moment: String, day: String) {
        #expect(NewYork.day(at: Self.moment(moment)) == Day(day))
    }

    @Test(
        "By a clock that is far behind or far ahead, nobody is asked all the time",
        arguments: [-1, 0, 803_260_800, 3_976_214_400, 253_402_300_800, 1 << 40])
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
