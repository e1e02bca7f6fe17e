internal import Apod
internal import Catalog

/// The favorites being fetched: no day twice at a time, and none soon again that has not come.
struct InFlight {
    /// Batches under way.
    private var batches = 0
    private var underway: Set<Day> = []
    /// Days that have not come, and when their batch ended.
    private var paused: [Day: ContinuousClock.Instant] = [:]

    /// More than one, so that a new favorite need not wait for a hundred old ones.
    static let mostBatches = 4

    /// Returns the days to fetch now, as one batch. If there are any, `end` must follow.
    mutating func take(_ dueFavorites: Set<Day>, at now: ContinuousClock.Instant) -> Set<Day> {
        paused = paused.filter { RetryPolicy.isPaused(favoriteSince: $0.value, at: now) }
        let days = dueFavorites.subtracting(underway).subtracting(paused.keys)
        guard !days.isEmpty, batches < Self.mostBatches else { return [] }
        batches += 1
        underway.formUnion(days)
        return days
    }

    /// Ends a batch. `left`: its days that have not come.
    mutating func end(_ days: Set<Day>, paused left: Set<Day>, at now: ContinuousClock.Instant) {
        batches -= 1
        underway.subtract(days)
        for day in left { paused[day] = now }
    }
}
