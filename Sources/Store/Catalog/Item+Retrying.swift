package import Apod

/// An item that is asked for again.
extension Item {
    /// One that could not be fetched, or not completely.
    package static func failed(
        _ key: Key, after previous: Item?, why: Problem, isPassing: Bool, at now: Int
    ) -> Item {
        var item = wanting(key, .failed, after: previous, at: now)
        let excess = item.attempts - RetryPolicy.hopefulAttempts
        // What has something in the tree can wait.
        let isMissed = isPassing && previous?.stored == nil
        let isSoon = isMissed || key.day.map { RetryPolicy.hasJustBegun($0, at: now) } == true || excess < 0
        let pause =
            isPassing ? RetryPolicy.shortPause(after: excess + 1) : RetryPolicy.pause(after: excess + 1)
        item.retryAfter = isSoon ? nil : now + pause
        item.failure = why
        item.stored = previous?.stored
        return item
    }

    /// One to look at again after the usual pause, of which nothing is stored.
    package static func wanting(_ key: Key, _ state: State, after previous: Item?, at now: Int) -> Item {
        let attempts = (previous?.attempts ?? 0) + 1
        return Item(
            key, state, retryAfter: now + RetryPolicy.pause(after: attempts), attempts: attempts,
            entry: previous?.entry)
    }

    /// The same after one more attempt, put off for longer; one that stands in, for a day.
    package func later(at now: Int) -> Item {
        var item = self
        item.attempts = stored?.isStandIn == true ? 1 : attempts + 1
        item.retryAfter = now + RetryPolicy.pause(after: item.attempts)
        return item
    }

    /// The same for one that owes something; nil for another.
    package func postponed(at now: Int) -> Item? { isOwing ? later(at: now) : nil }
}
