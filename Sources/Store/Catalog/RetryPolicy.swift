package import Apod
import Files

/// When a day is asked for again: how long the pauses are, and which days can still be published.
package enum RetryPolicy {
    /// The first failed attempt after which a day may be put off.
    fileprivate static let hopefulAttempts = 3
    /// A pause of this length or longer was noted by a clock that was ahead, and is ignored.
    private static let longestBelieved = 31 * 86_400

    /// The usual pause, in seconds: a day, two, four, … a month.
    static func pause(after attempts: Int) -> Int { Backoff(86_400, atMost: 30 * 86_400, after: attempts).pause }

    /// The pause after a passing failure of a day with something in the tree: an hour, two, four, … a day. A day with
    /// nothing has none of its own: who asks (`Backfill`, `DailyRefresh`) makes pauses.
    static func shortPause(after attempts: Int) -> Int { Backoff(3600, atMost: 86_400, after: attempts).pause }

    /// Whether `moment` is still to come, and near enough to be believed.
    static func isPutOff(until moment: Int?, at now: Int, believing longest: Int = longestBelieved) -> Bool {
        moment.map { $0 > now && $0 < now + longest } ?? false
    }

    /// Whether to ask for a day; nil: nothing is known of it.
    package static func isDue(_ status: DayStatus?, at now: Int) -> Bool {
        status.map { $0.isOwing && !isPutOff(until: $0.retryAfter, at: now) } ?? true
    }

    /// The same as an SQL condition on a row of the table `item`, or on none (an outer join). `now`: an SQL parameter.
    static func isDue(at now: String) -> String {
        """
        (\(DayStatus.isOwing)
        AND (retry_after IS NULL OR retry_after <= \(now) OR retry_after >= \(now) + \(longestBelieved)))
        """
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

/// The statuses of days that are asked for again.
extension DayStatus {
    /// A day that could not be fetched, or not completely.
    package static func failed(
        _ key: Key, after previous: DayStatus?, why: Problem, isPassing: Bool, at now: Int
    ) -> DayStatus {
        var status = wanting(key, .failed, after: previous, at: now)
        let excess = status.attempts - RetryPolicy.hopefulAttempts
        // A day with something in the tree can wait.
        let isMissed = isPassing && previous?.stored == nil
        let isSoon = isMissed || key.day.map { RetryPolicy.hasJustBegun($0, at: now) } == true || excess < 0
        let pause =
            isPassing ? RetryPolicy.shortPause(after: excess + 1) : RetryPolicy.pause(after: excess + 1)
        status.retryAfter = isSoon ? nil : now + pause
        status.failure = why
        status.stored = previous?.stored
        return status
    }

    /// A day to look at again after the usual pause.
    package static func wanting(_ key: Key, _ state: State, after previous: DayStatus?, at now: Int) -> DayStatus {
        let attempts = (previous?.attempts ?? 0) + 1
        let moment = now + RetryPolicy.pause(after: attempts)
        return DayStatus(key: key, state: state, retryAfter: moment, attempts: attempts)
    }

    /// The same status after one more attempt, put off for longer; one that stands in, for a day.
    package func later(at now: Int) -> DayStatus {
        var status = DayStatus.wanting(key, state, after: stored?.isStandIn == true ? nil : self, at: now)
        (status.failure, status.stored) = (failure, stored)
        return status
    }

    /// The same for a day that owes something; nil for another.
    package func postponed(at now: Int) -> DayStatus? { isOwing ? later(at: now) : nil }
}
