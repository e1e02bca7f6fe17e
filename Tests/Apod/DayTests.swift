import Apod
import Testing

struct DayTests {
    private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Counted day by day, the way a person would.
    @Test("A day is the one it was made of, from the first to the last")
    func roundTrip() throws {
        var (year, month, date, number) = (1995, 6, 16, 9297)
        while year < 2095 {
            let day = try #require(Day(year: year, month: month, day: date))
            let right = day.number == number && day.year == year && day.month == month && day.day == date
            let text = "\(year)-\(Self.padded(month))-\(Self.padded(date))"
            let compact = "\(Self.padded(year % 100))\(Self.padded(month))\(Self.padded(date))"
            let moments = [number * 86_400, day.noon - 12 * 3600, day.noon + 11 * 3600]
            let same = Day(text) == day && Day(compact: compact) == day && moments.allSatisfy { Day(utc: $0) == day }
            let words = ["\(day)", day.compact, day.folder] == [text, compact, "\(year)/\(Self.padded(month))"]
            if !right || !same || !words { Issue.record("\(text)") }
            number += 1
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            date += 1
            if date > [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] {
                (month, date) = (month + 1, 1)
            }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
        #expect(number == 45656)
    }

    @Test(
        "Any other text is no day, but may be told how it is written",
        arguments: [
            "", "1995-06-15", "2095-01-01", "2023-02-29", "2026-00-10", "2026-13-01", "2026-01-32",
            "2026-01-01\n", "2026-+1-01", "２０２６-01-01", "2026-01-0\u{301}1", "2026-13-1", "2026-9",
            "1995-6-1", "2026-9-5 ", "26-9-5",
        ].map { ($0, nil) } + [("2026-9-5", "2026-09-05")] as [(String, String?)])
    func bad(text: String, written: String?) {
        #expect(Day(text) == nil)
        let reason = Day.reason(against: text)
        #expect(written.map { reason?.hasSuffix($0) == true } ?? (Day(Day.withZeros(text)) == nil))
    }

    @Test("A day stays within what there can be, and comes in order")
    func bounds() throws {
        for (year, month, day) in [(Int.max, 1, 1), (Int.min, 1, 1), (2026, 0, 1), (2026, 1, Int.max)] {
            #expect(Day(year: year, month: month, day: day) == nil)
        }
        for seconds in [Int.min, -1, 0, 9297 * 86_400] { #expect(Day(utc: seconds) == .first) }
        #expect(Day(utc: Int.max).description == "2094-12-31" && Day.first.advanced(by: -1) == .first)
        let (first, last) = (try #require(Day("2024-02-28")), try #require(Day("2024-03-01")))
        #expect((first...last).map(\.description) == ["2024-02-28", "2024-02-29", "2024-03-01"])
        #expect(Day.extent(of: 1, first, first) == "\(first)")
        #expect(Day.extent(of: 2, first, last) != Day.extent(of: 3, first, last))
    }
}
