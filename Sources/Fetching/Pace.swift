internal import Files

/// Keeps a distance between the beginnings of requests.
actor Pace {
    private let distance: Duration
    private var next: ContinuousClock.Instant

    /// `time`: before the first one.
    init(_ distance: Duration, after time: Duration = .zero) {
        self.distance = distance
        next = .now + time
    }

    /// Nobody has a turn for that long.
    func postpone(by time: Duration) { next = max(next, .now + time) }

    func turn() async throws {
        let turn = max(next, .now)
        next = turn + distance
        try await nap(until: turn)
    }
}
