/// The calendar of New York, by which days of APOD begin. Summer time follows the rule since 2007: from the second
/// Sunday in March to the first in November.
///
/// libc is not used: it has one time zone for the whole process, the person's.
package enum NewYork {
    package static func day(at moment: Int) -> Day { Day(utc: moment + offset(at: moment)) }

    /// The moment `second` seconds after a day's midnight, before two o'clock: then clocks may be changed.
    package static func moment(of day: Day, second: Int) -> Int {
        let utc = day.number * 86_400 + second
        return utc - offset(at: utc - offset(at: utc))
    }

    private static let hour = 3600

    private static func offset(at moment: Int) -> Int {
        let year = Day(utc: moment).year
        // The change is at two in the morning, by the clock before it.
        let summer = sunday(2, ofMonth: 3, year) + 7 * hour..<sunday(1, ofMonth: 11, year) + 6 * hour
        return summer.contains(moment) ? -4 * hour : -5 * hour
    }

    /// The start of a month's n-th Sunday, in UTC.
    private static func sunday(_ count: Int, ofMonth month: Int, _ year: Int) -> Int {
        // March 1995 has no `Day`: APOD began in that summer.
        guard let first = Day(year: year, month: month, day: 1) else { return 0 }
        // The first day of 1970 was a Thursday.
        let daysUntilSunday = (10 - first.number % 7) % 7
        return (first.number + daysUntilSunday + 7 * (count - 1)) * 86_400
    }
}
