import Apod
import Testing

struct DayTests {
    /// Counted day by day, the way a person would.
    private static func everyDay(_ body: (_ year: Int, _ month: Int, _ day: Int) throws -> Void) rethrows {
        var (year, month, day) = (1995, 6, 16)
        while year < 2095 {
            try body(year, month, day)
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
            day += 1
            if day > lengths[month - 1] { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    @Test("A day is the one it was made of, also from 12 hours before noon UTC to 11 after, from the first to the last")
    func roundTrip() throws {
        var number = 9297
        try Self.everyDay { year, month, date in
            let day = try #require(Day(year: year, month: month, day: date))
            let right = day.number == number && day.year == year && day.month == month && day.day == date
            let text = "\(year)-\(Self.padded(month))-\(Self.padded(date))"
            let compact = "\(Self.padded(year % 100))\(Self.padded(month))\(Self.padded(date))"
            let moments = [number * 86_400, day.noon - 12 * 3600, day.noon + 11 * 3600]
            let same = Day(text) == day && moments.allSatisfy { Day(utc: $0) == day }
            let words = ["\(day)", day.compact, day.folder] == [text, compact, "\(year)/\(Self.padded(month))"]
            if !right || !same || !words { Issue.record("\(text)") }
            number += 1
        }
        #expect(number == 45656)
    }

    @Test(
        "Any other text is no day",
        arguments: [
            "", "1995-06-15", "2095-01-01", "2023-02-29", "2026-00-10", "2026-13-01", "2026-01-00", "2026-01-32",
            "2026-1-01", " 2026-01-01", "2026-01-01\n", "2026/01/01", "+026-01-01", "2026-+1-01", "2026-01--1",
            "２０２６-01-01", "2026-01-0\u{301}1", "2026-01-01\u{0}", "../../../x", "0000-00-00",
        ])
    func bad(text: String) {
        #expect(Day(text) == nil)
    }

    @Test(
        "A day that is written without its zeros is told how it is written",
        arguments: [
            ("2026-9-5", "2026-09-05"), ("2026-9-05", "2026-09-05"), ("2026-13-1", nil), ("2026-9", nil),
            ("1995-6-1", nil), ("2026-9-5 ", nil), ("26-9-5", nil), ("2026-9-5-1", nil), ("2026-09-05", nil),
        ])
    func withoutZeros(text: String, written: String?) {
        #expect(Day.reason(against: text) == written.map { "\(text) is to be written as \($0)" })
    }

    @Test(
        "A day cannot be made of other numbers",
        arguments: [(Int.max, 1, 1), (Int.min, 1, 1), (2026, 0, 1), (2026, 1, Int.max)])
    func badNumbers(year: Int, month: Int, day: Int) {
        #expect(Day(year: year, month: month, day: day) == nil)
    }

    @Test("A day stays within what there can be", arguments: [Int.min, -1, 0, 9297 * 86_400])
    func clamped(seconds: Int) {
        #expect(Day(utc: seconds) == .first)
        #expect(Day(utc: Int.max).description == "2094-12-31")
        #expect(Day.first.advanced(by: -1) == .first)
    }

    @Test("A day comes in order and can be counted")
    func order() throws {
        let last = try #require(Day("2024-02-28"))
        #expect((last...last.advanced(by: 2)).map(\.description) == ["2024-02-28", "2024-02-29", "2024-03-01"])
        #expect(last < last.advanced(by: 1))
        #expect(Day.first.distance(to: last) == last.number - 9297)
    }

    @Test("A day is the first or last of some, which are all of those between them or not")
    func extent() throws {
        let (first, last) = (try #require(Day("2024-02-28")), try #require(Day("2024-03-01")))
        #expect(Day.extent(of: 1, first, first) == "2024-02-28")
        #expect(Day.extent(of: 2, first, last) == "between 2024-02-28 and 2024-03-01")
        #expect(Day.extent(of: 3, first, last) == "from 2024-02-28 to 2024-03-01")
    }

    @Test(
        "A day are named as many as have room",
        arguments: [
            (0, nil, ""), (1, nil, "1"), (2, nil, "1, 2"), (3, nil, "1, 2 and 1 more"), (2, 7, "1, 2 and 5 more"),
        ])
    func names(there: Int, count: Int?, words: String) throws {
        let first = try #require(Day("2024-03-01"))
        let days = (0..<there).map { first.advanced(by: $0) }
        let names = Day.names(days, of: count, atMost: 2)
        #expect(names.split(separator: "2024-03-0", omittingEmptySubsequences: true).joined() == words)
    }
}
