import Apod
import Glibc
import Testing

@testable import Service

extension RefreshSchedule {
    /// All that is new was asked for today.
    fileprivate func next(newest: Day?, at now: Int) -> Int {
        next(Newest(newest: newest, whole: newest, answered: now), at: now)
    }

    fileprivate mutating func ask(at now: Int, newest: Day?) {
        ask(Newest(newest: newest, whole: newest, answered: now), from: now, at: now)
    }
}

struct RefreshScheduleTests {
    private static func moment(_ text: String) -> Int { Time.seconds(text)! }

    /// What is known: the newest day that is there with its picture, when the upstream answered last, and until when it
    /// asks to be left alone; when it was asked in vain since then. All in November 2026; without a day, on the 20th, and
    /// without seconds, when the minute begins.
    struct Row: Sendable, CustomStringConvertible {
        let description, now, next: String
        var whole: Int? = 19
        var newest: Int?
        var answered: String?
        var quiet: String?
        var asked: [String] = []

        init(
            _ description: String, _ now: String, _ next: String, whole: Int? = 19, newest: Int? = nil,
            answered: String? = nil, quiet: String? = nil, asked: [String] = []
        ) {
            (self.description, self.now, self.next, self.whole, self.newest) = (description, now, next, whole, newest)
            (self.answered, self.quiet, self.asked) = (answered, quiet, asked)
        }
    }

    static let table: [Row] = [
        // Today.
        Row("it is there: tomorrow", "18:00", "21T05:05", whole: 20, answered: "06:00"),
        Row("asked for from midnight on", "18:00", "21T05:05", whole: 20, answered: "05:00"),
        Row("others brought it", "18:00", "18:00", whole: 20, answered: "04:59:59"),
        Row("others brought it at first", "18:00", "18:00", whole: 20),
        Row("asked for by a clock that was ahead", "18:00", "18:00", whole: 20, answered: "18:00:01"),
        Row("asked for in this second", "18:00", "21T05:05", whole: 20, answered: "18:00"),
        Row("its picture is awaited", "18:00", "18:00", newest: 20, answered: "12:00"),
        Row("nothing is there at all", "05:01", "05:01", whole: nil),
        Row("not before its time", "05:01", "05:05"),
        Row("not before midnight", "04:59:59", "05:05", answered: "19T12:00"),
        Row("at once when it is late", "12:00", "12:00"),
        // Asked in vain.
        Row("once", "12:00", "12:05", asked: ["12:00"]),
        Row("while it became due", "05:06", "05:06", asked: ["05:04-05:06"]),
        Row("once, long ago", "12:10", "12:10", asked: ["12:00"]),
        Row("three times", "12:16", "12:35", asked: ["12:00", "12:05", "12:15"]),
        Row("often, shortly before midnight", "21T04:00", "21T05:05", asked: Array(repeating: "21T04:00", count: 9)),
        Row("often, for the day before", "21T05:06", "21T05:06", asked: Array(repeating: "21T04:00", count: 9)),
        // An upstream that asks to be left alone.
        Row("until a moment ago", "12:00", "12:00", quiet: "11:59:59"),
        Row("for some hours", "12:00", "14:00", quiet: "14:00"),
        Row("for longer than the pause", "12:00", "14:00", quiet: "14:00", asked: ["12:00"]),
        Row("for less than the pause", "12:00", "12:05", quiet: "12:01", asked: ["12:00"]),
        Row("until tomorrow's is due", "18:00", "21T05:05", whole: 20, answered: "12:00", quiet: "20:00"),
        Row("behind tomorrow's", "18:00", "21T12:00", whole: 20, answered: "12:00", quiet: "21T12:00"),
        // A clock that jumps.
        Row("back by a day", "12:00", "12:00", asked: ["21T12:00"]),
        Row("ahead by two days", "12:00", "12:00", asked: ["18T12:00"]),
        Row("back, again and again", "12:00", "12:05", asked: ["15:00", "14:00", "13:00", "12:00"]),
    ]

    @Test("What is known says when to ask next", arguments: table)
    func rows(row: Row) {
        func moment(_ text: String) -> Int {
            let seconds = text.count { $0 == ":" } == 1 ? ":00" : ""
            return Self.moment("2026-11-\(text.contains("T") ? "" : "20T")\(text)\(seconds)Z")
        }
        func day(_ number: Int?) -> Day? { number.flatMap { Day("2026-11-\($0)") } }
        let known = RefreshSchedule.Newest(
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
