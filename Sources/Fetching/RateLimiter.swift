internal import Concurrency

/// Keeps a distance between the beginnings of requests.
actor RateLimiter {
    private let distance: Duration
    private var next: ContinuousClock.Instant

    /// `time`: the wait before the first request.
    init(_ distance: Duration, after time: Duration = .zero) {
        self.distance = distance
        next = .now + time
    }

    /// Lets no request begin for that long.
    func postpone(by time: Duration) { next = max(next, .now + time) }

    func wait() async throws {
        let start = max(next, .now)
        next = start + distance
        try await sleep(until: start)
    }
}
