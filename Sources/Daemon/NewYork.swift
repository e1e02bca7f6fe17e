package import Apod
import Glibc

/// The calendar of New York, where each day of APOD begins.
package enum NewYork {
    /// Should stand before there are threads: libc has one time zone for the whole process.
    package static func prepare() { _ = before }

    /// The zone that was set before; nil for the machine's.
    private static let before: String? = {
        let before = getenv("TZ").map { String(cString: $0) }
        setHere()
        return before
    }()

    private static func setHere() {
        set("America/New_York")
        // Without tzdata, any name is UTC. This is the rule since 2007.
        if offset(at: 0) == 0 { set("EST5EDT,M3.2.0,M11.1.0") }
    }

    private static func set(_ zone: String?) {
        if let zone { setenv("TZ", zone, 1) } else { unsetenv("TZ") }
        tzset()
    }

    /// Does something by the clock of whoever runs the program. Nobody else may ask for a day meanwhile.
    package static func elsewhere<Result>(_ work: () -> Result) -> Result {
        set(before)
        defer { setHere() }
        return work()
    }

    private static func offset(at moment: Int) -> Int {
        var (moment, parts) = (time_t(moment), tm())
        localtime_r(&moment, &parts)
        return parts.tm_gmtoff
    }

    package static func day(at moment: Int) -> Day {
        prepare()
        return Day(utc: moment + offset(at: moment))
    }

    /// So many seconds after the midnight with which a day begins; the clocks are changed later in the night.
    package static func moment(of day: Day, second: Int) -> Int {
        prepare()
        let utc = day.number * 86_400 + second
        return utc - offset(at: utc - offset(at: utc))
    }
}
