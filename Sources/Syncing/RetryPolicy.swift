internal import Apod
internal import Catalog

/// How long something that was not there is left alone: a day, two, four, … a month.
enum RetryPolicy {
    static func seconds(after attempts: Int) -> Int { min(1 << min(max(attempts - 1, 0), 5), 30) * 86_400 }

    /// What will hardly change is tried again at once so often before it is left alone.
    static let hopefulAttempts = 3
}

extension DayStatus {
    /// A day that could not be had, or not completely.
    static func failed(
        _ day: Day, after previous: DayStatus?, why: String, isPassing: Bool, at now: Int
    ) -> DayStatus {
        var status = wanting(day, .failed, after: previous, at: now)
        let excess = status.attempts - RetryPolicy.hopefulAttempts
        // What has just begun may be complete any minute; how often it is asked for, the schedule says.
        let hasJustBegun = day >= Day(utc: now).advanced(by: -1)
        status.retryAfter = isPassing || hasJustBegun || excess < 0 ? nil : now + RetryPolicy.seconds(after: excess + 1)
        status.reason = why
        status.stored = previous?.stored
        return status
    }

    /// A day that is looked at again some time later.
    static func wanting(_ day: Day, _ state: State, after previous: DayStatus?, at now: Int) -> DayStatus {
        let attempts = (previous?.attempts ?? 0) + 1
        return DayStatus(
            day: day, state: state, retryAfter: now + RetryPolicy.seconds(after: attempts), attempts: attempts)
    }
}
