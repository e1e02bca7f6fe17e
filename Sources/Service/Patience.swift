internal import Apod
internal import Archive

/// How long something that was not there is left alone: a day, two, four, … a month.
enum Patience {
    static func seconds(after attempts: Int) -> Int { min(1 << min(max(attempts - 1, 0), 5), 30) * 86_400 }

    /// What will hardly change is tried again at once so often before it is left alone.
    static let hopefulAttempts = 3
}

extension Standing {
    /// A day that could not be had, or not completely.
    static func failed(
        _ day: Day, after previous: Standing?, why: String, isPassing: Bool, at now: Int
    ) -> Standing {
        var standing = wanting(day, .failed, after: previous, at: now)
        let excess = standing.attempts - Patience.hopefulAttempts
        // What has just begun may be complete any minute; how often it is asked for, the schedule says.
        let hasJustBegun = day >= Day(utc: now).advanced(by: -1)
        standing.retryAfter = isPassing || hasJustBegun || excess < 0 ? nil : now + Patience.seconds(after: excess + 1)
        standing.reason = why
        standing.entry = previous?.entry
        return standing
    }

    /// A day that is looked at again some time later.
    static func wanting(_ day: Day, _ state: State, after previous: Standing?, at now: Int) -> Standing {
        let attempts = (previous?.attempts ?? 0) + 1
        return Standing(
            day: day, state: state, retryAfter: now + Patience.seconds(after: attempts), attempts: attempts)
    }
}
