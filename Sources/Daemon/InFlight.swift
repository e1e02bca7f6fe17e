internal import Apod
internal import Catalog

/// Which favorites are asked for when: none twice at a time, and none again and again.
struct InFlight {
    /// Asked for together.
    private var batches = 0
    private var underway: Set<Day> = []
    /// When asking for those ended that have not come.
    private var paused: [Day: ContinuousClock.Instant] = [:]

    /// A new favorite does not wait for a hundred old ones, if there is still a batch free.
    static let mostBatches = 4

    /// Those to be asked for now, until they `end`.
    mutating func take(_ dueFavorites: Set<Day>, at now: ContinuousClock.Instant) -> Set<Day> {
        paused = paused.filter { RetryPolicy.isPaused(favoriteSince: $0.value, at: now) }
        let days = dueFavorites.subtracting(underway).subtracting(paused.keys)
        guard !days.isEmpty, batches < Self.mostBatches else { return [] }
        batches += 1
        underway.formUnion(days)
        return days
    }

    /// `left`: those that have not come.
    mutating func end(_ days: Set<Day>, paused left: Set<Day>, at now: ContinuousClock.Instant) {
        batches -= 1
        underway.subtract(days)
        for day in left { paused[day] = now }
    }
}
