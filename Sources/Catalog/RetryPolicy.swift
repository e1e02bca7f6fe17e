package import Apod
internal import Concurrency

/// When a day is asked for again. Only here is a day, or what was noted of it, compared with the clock.
package enum RetryPolicy {
    /// What will hardly change is tried again at once so often before it is left alone.
    fileprivate static let hopefulAttempts = 3
    /// Whoever noted a longer pause than the longest did so by a clock that was ahead.
    private static let longestBelieved = 31 * 86_400

    /// In seconds: what was not there is left alone for a day, two, four, … a month.
    static func pause(after attempts: Int) -> Int { Backoff(86_400, atMost: 30 * 86_400, after: attempts).pause }

    /// What may be there soon is left alone for an hour, two, four, … a day.
    static func shortPause(after attempts: Int) -> Int { Backoff(3600, atMost: 86_400, after: attempts).pause }

    /// Whether a moment is still to come before which something is not asked for.
    static func isPutOff(until moment: Int?, at now: Int, believing longest: Int = longestBelieved) -> Bool {
        moment.map { $0 > now && $0 < now + longest } ?? false
    }

    /// Whether a day is to be asked for, of which this is known.
    package static func isDue(_ status: DayStatus?, at now: Int) -> Bool {
        status.map { $0.state != .mirrored && !isPutOff(until: $0.retryAfter, at: now) } ?? true
    }

    /// The same of a row of the table `day`, or of none, with the present moment as one of the statement's parameters.
    static func isDue(at now: String) -> String {
        """
        (state IS NOT 'mirrored'
        AND (retry_after IS NULL OR retry_after <= \(now) OR retry_after >= \(now) + \(longestBelieved)))
        """
    }

    /// Whether a day's picture is left alone over which the decoder was killed. Where memory is short, trying it again with
    /// every day that comes would keep the machine busy.
    package static func isLeftUndecoded(since moment: Int, at now: Int) -> Bool { isWithin(3600, of: moment, at: now) }

    /// Not before it: then the clock was set back.
    private static func isWithin(_ seconds: Int, of moment: Int, at now: Int) -> Bool {
        (0..<seconds).contains(now - moment)
    }

    /// A favorite that was asked for and has not come, as it is not published or nobody answers, is asked for so much later.
    package static let favoritePause = Duration.seconds(3600)

    /// Whether such a favorite is left alone. This clock is never set, as the system's may be.
    package static func isPaused(
        favoriteSince moment: ContinuousClock.Instant, at now: ContinuousClock.Instant
    ) -> Bool { now - moment < favoritePause }

    /// The newest day that has begun somewhere on Earth.
    package static func latest(at now: Int) -> Day { Day(utc: now).advanced(by: 1) }

    /// What has just begun may be complete any minute; how often it is asked for, the schedule says.
    package static func hasJustBegun(_ day: Day, at now: Int) -> Bool { day >= Day(utc: now).advanced(by: -1) }

    /// Whether a day can still be published. `newest`: of those that the upstream is known to have.
    package static func isYoung(_ day: Day, newest: Day?, at now: Int) -> Bool {
        day > newest ?? Day(utc: now).advanced(by: -2)
    }

    /// Of old, days were never published; of late, they are late.
    package static func isOld(_ day: Day, at now: Int) -> Bool { day < Day(utc: now).advanced(by: -30) }
}

/// What is noted of a day that is asked for again.
extension DayStatus {
    /// It could not be had, or not completely.
    package static func failed(
        _ day: Day, after previous: DayStatus?, why: Failure, isPassing: Bool, at now: Int
    ) -> DayStatus {
        var status = wanting(day, .failed, after: previous, at: now)
        let excess = status.attempts - RetryPolicy.hopefulAttempts
        // What lacks nothing but a correction can wait.
        let isMissed = isPassing && previous?.stored == nil
        let isSoon = isMissed || RetryPolicy.hasJustBegun(day, at: now) || excess < 0
        let pause =
            isPassing ? RetryPolicy.shortPause(after: excess + 1) : RetryPolicy.pause(after: excess + 1)
        status.retryAfter = isSoon ? nil : now + pause
        status.failure = why
        status.stored = previous?.stored
        return status
    }

    /// It is looked at again some time later.
    package static func wanting(_ day: Day, _ state: State, after previous: DayStatus?, at now: Int) -> DayStatus {
        let attempts = (previous?.attempts ?? 0) + 1
        let moment = now + RetryPolicy.pause(after: attempts)
        return DayStatus(day: day, state: state, retryAfter: moment, attempts: attempts)
    }

    /// The upstream says that there is no such day.
    package static func absent(_ day: Day, after previous: DayStatus?, at now: Int) -> DayStatus {
        var status = wanting(day, .absent, after: previous, at: now)
        if RetryPolicy.isOld(day, at: now) { status.retryAfter = now + RetryPolicy.pause(after: .max) }
        return status
    }

    /// What it is wanting still is, but not at every sync.
    package func later(at now: Int) -> DayStatus {
        var status = DayStatus.wanting(day, state, after: self, at: now)
        (status.failure, status.stored) = (failure, stored)
        return status
    }
}
