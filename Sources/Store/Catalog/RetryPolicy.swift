package import Apod
import Files

/// When a day is asked for again: how long the pauses are, and which days can still be published.
package enum RetryPolicy {
    /// The first failed attempt after which a day may be put off.
    static let hopefulAttempts = 3
    /// A pause of this length or longer was noted by a clock that was ahead, and is ignored.
    static let longestBelieved = 31 * 86_400

    /// The usual pause, in seconds: a day, two, four, … a month.
    static func pause(after attempts: Int) -> Int { Backoff(86_400, atMost: 30 * 86_400, after: attempts).pause }

    /// The pause after a passing failure of a day with something in the tree: an hour, two, four, … a day. A day with
    /// nothing has none of its own: who asks (`Backfill`, `DailyRefresh`) makes pauses.
    static func shortPause(after attempts: Int) -> Int { Backoff(3600, atMost: 86_400, after: attempts).pause }

    /// Whether `moment` is still to come, and near enough to be believed.
    static func isPutOff(until moment: Int?, at now: Int, believing longest: Int = longestBelieved) -> Bool {
        moment.map { $0 > now && $0 < now + longest } ?? false
    }

    /// Whether to leave a picture alone whose decoder was killed. Where memory is short, an attempt with every new day
    /// would keep the machine busy. Not before `moment`: then the clock was set back.
    package static func pausesDecoding(since moment: Int, at now: Int) -> Bool { (0..<3600).contains(now - moment) }

    /// The pause after a favorite was asked for and has not come.
    package static let favoritePause = Duration.seconds(3600)

    /// Whether that pause goes on. Nobody can set this clock, unlike the system's.
    package static func isPaused(
        favoriteSince moment: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) -> Bool { now - moment < favoritePause }

    /// The newest day that has begun somewhere on Earth.
    package static func latest(at now: Int) -> Day { Day(utc: now).advanced(by: 1) }

    /// Whether a day may be complete any minute. It is not put off: the schedule says how often to ask for it.
    package static func hasJustBegun(_ day: Day, at now: Int) -> Bool { day >= Day(utc: now).advanced(by: -1) }

    /// Whether a day must have been published, at 00:05 in New York, for more than an hour.
    package static func isOverdue(_ day: Day, at now: Int) -> Bool { day <= NewYork.day(at: now - 3600 - 300) }

    /// Whether a day can still be published. `newest`: the newest day that the upstream is known to have.
    package static func isYoung(_ day: Day, newest: Day?, at now: Int) -> Bool {
        day > newest ?? Day(utc: now).advanced(by: -2)
    }
}
