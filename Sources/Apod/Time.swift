import Glibc

/// Moments as text: `2026-11-20T05:05:00Z` for programs, local time for people.
package enum Time {
    /// Local time, like `2026-11-20 06:05`.
    package static func local(_ seconds: Int) -> String {
        var (moment, parts) = (time_t(seconds), tm())
        localtime_r(&moment, &parts)
        let fields = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min].map { Day.padded(Int($0)) }
        return "\(Int(parts.tm_year) + 1900)-\(fields[0])-\(fields[1]) \(fields[2]):\(fields[3])"
    }

    /// The local date, and the moment when the next one begins.
    package static func date(_ seconds: Int) -> (day: Day?, end: Int) {
        var (moment, parts) = (time_t(seconds), tm())
        localtime_r(&moment, &parts)
        let day = Day(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        (parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec, parts.tm_isdst) = (parts.tm_mday + 1, 0, 0, 0, -1)
        return (day, max(mktime(&parts), seconds + 1))
    }

    /// The local date, for people to read; with a clock that is not set, the first day.
    package static func day(_ seconds: Int) -> Day { date(seconds).day ?? Day(utc: seconds) }

    package static func text(_ seconds: Int) -> String {
        let day = Day(utc: seconds)
        let midnight = day.number * 86_400
        // A clock that is not set stands in 1970. `Day` clamps that, and so the time of day is clamped.
        let second = min(max(seconds, midnight), midnight + 86_399) - midnight
        let parts = [second / 3600, second / 60 % 60, second % 60].map(Day.padded)
        return "\(day)T\(parts[0]):\(parts[1]):\(parts[2])Z"
    }

    /// Reads `text` back, and nothing else.
    package static func seconds(_ text: String) -> Int? {
        let (bytes, day) = (text.bytes, Day(Substring(text.utf8.prefix(10))))
        guard bytes.count == 20, let day, bytes[19] == "Z" else { return nil }
        var second = 0
        // No array of the three: the history of the favorites may have very many moments.
        for start in [10, 13, 16] {
            let isHour = start == 10
            guard bytes[start] == (isHour ? "T" : ":"), let field = Day.digits(bytes[start + 1...start + 2]),
                field < (isHour ? 24 : 60)
            else { return nil }
            second = second * 60 + field
        }
        return day.number * 86_400 + second
    }
}

/// Seconds since 1970, which JSON tells as `Time.text`.
package struct Moment: Hashable, Sendable, JSONTextCodable {
    package let seconds: Int

    package init(_ seconds: Int) { self.seconds = seconds }

    package init?(_ text: String) {
        guard let seconds = Time.seconds(text) else { return nil }
        self.init(seconds)
    }

    package var description: String { Time.text(seconds) }
    package var local: String { Time.local(seconds) }
}
