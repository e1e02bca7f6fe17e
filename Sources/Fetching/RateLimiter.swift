internal import Concurrency

/// Keeps a minimum time between the starts of requests.
actor RateLimiter {
    private let distance: Duration
    private var next = ContinuousClock.now

    init(_ distance: Duration) { self.distance = distance }

    /// Postpones requests that have not called `wait` yet; one that already waits goes ahead.
    func postpone(by time: Duration) { next = max(next, .now + time) }

    func wait() async throws {
        let start = max(next, .now)
        next = start + distance
        try await sleep(until: start)
    }
}
