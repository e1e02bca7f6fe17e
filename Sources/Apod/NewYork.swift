/// The calendar of New York, where each day of APOD begins: by the rule since 2007, from the second Sunday in March to the
/// first in November one hour ahead.
///
/// Not by libc, which has one time zone for the whole process: that is the person's.
package enum NewYork {
    package static func day(at moment: Int) -> Day { Day(utc: moment + offset(at: moment)) }

    /// So many seconds after the midnight with which a day begins; the clocks are changed later in the night.
    package static func moment(of day: Day, second: Int) -> Int {
        let utc = day.number * 86_400 + second
        return utc - offset(at: utc - offset(at: utc))
    }

    private static let hour = 3600

    private static func offset(at moment: Int) -> Int {
        let year = Day(utc: moment).year
        // Two in the morning, by the clock before the change.
        let summer = sunday(2, ofMonth: 3, year) + 7 * hour..<sunday(1, ofMonth: 11, year) + 6 * hour
        return summer.contains(moment) ? -4 * hour : -5 * hour
    }

    /// When the n-th Sunday of a month begins in UTC.
    private static func sunday(_ count: Int, ofMonth month: Int, _ year: Int) -> Int {
        // APOD began in the summer of 1995.
        guard let first = Day(year: year, month: month, day: 1) else { return 0 }
        // The first day of 1970 was a Thursday.
        let daysUntilSunday = (10 - first.number % 7) % 7
        return (first.number + daysUntilSunday + 7 * (count - 1)) * 86_400
    }
}
