import Apod
import Files

/// When the upstream is asked for a new day: some minutes after midnight in New York, and then with growing pauses until
/// the day is there.
package struct RefreshSchedule: Sendable {
    /// What is known of the newest days.
    struct Newest {
        /// The newest day that is there.
        var newest: Day?
        /// The newest day here that awaits no picture.
        var whole: Day?
        /// When the upstream last answered a refresh for all new days.
        var answered: Int?
        /// Until when the upstream asks to be left alone.
        var quiet: Int?

        /// The newest day that need not be asked for. Today counts only after a refresh for all new days: a command may
        /// have brought today alone.
        func certain(at now: Int) -> Day? {
            let today = NewYork.day(at: now)
            let isKnown = answered.map { $0 >= NewYork.moment(of: today, second: 0) && $0 <= now } ?? false
            return whole.map { isKnown ? $0 : min($0, today.advanced(by: -1)) }
        }
    }

    /// In seconds after midnight.
    private static let earliest = 300
    package static let mostJitter = 900
    /// Keeps the mirrors of the world from asking in the same second.
    private let jitter: Int
    private var asked: Int?
    /// How often the day that is due was asked for in vain.
    private var attempts: Int

    /// `asked`: when all new days were last asked for. A service that restarts often must not ask each time.
    init(jitter: Int, asked: Int? = nil) {
        (self.jitter, self.asked, attempts) = (jitter, asked, asked == nil ? 0 : 1)
    }

    /// Returns when to ask.
    func next(_ known: Newest, at now: Int) -> Int {
        max(now, due(after: known.certain(at: now), at: now), known.quiet ?? now)
    }

    private func due(after newest: Day?, at now: Int) -> Int {
        let today = NewYork.day(at: now)
        let tomorrow = tomorrow(at: now)
        if let newest, newest >= today { return tomorrow }
        // Without any day yet, ask at once.
        let due = newest == nil ? 0 : due(today)
        // If `asked` is in the future, the clock was set back since.
        guard attempts > 0, let asked, asked <= now, asked >= due || now < due else { return due }
        return min(asked + pause, now < due ? due : tomorrow)
    }

    /// Notes that the upstream was asked, and what is known since. What began before a day was due did not ask for it.
    mutating func ask(_ known: Newest, from start: Int, at end: Int) {
        let today = NewYork.day(at: end)
        let now = start < due(today) && end >= due(today) ? start : end
        let isThere = known.certain(at: now).map { $0 >= today } ?? false
        let isFirst = asked.map { $0 < due(today) || $0 > now } ?? true
        attempts = isThere ? 0 : isFirst ? 1 : attempts + 1
        asked = now
    }

    /// When the next day is due. A clock beyond the last `Day` has none: then in a day, rather than at once.
    private func tomorrow(at now: Int) -> Int {
        let due = due(NewYork.day(at: now).advanced(by: 1))
        return due > now ? due : now + 86_400
    }

    private var pause: Int { Backoff(300, atMost: 7_200, after: attempts).pause }

    private func due(_ day: Day) -> Int { NewYork.moment(of: day, second: Self.earliest + jitter) }
}
