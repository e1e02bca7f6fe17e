package import Apod

/// When the upstream is asked for a new day: some minutes after midnight in New York, and then with growing pauses until
/// the day is there.
package struct RefreshSchedule: Sendable {
    /// In seconds after midnight.
    private static let earliest = 300
    package static let mostJitter = 900
    private static let firstPause = 300
    private static let longestPause = 7_200

    /// So that not all mirrors of the world ask in the same second.
    private let jitter: Int
    private var asked: Int?
    /// How often the day that is due was asked for in vain.
    private var attempts: Int

    /// `asked`: when all that is new was last asked for. A service that restarts often must not ask each time.
    package init(jitter: Int, asked: Int? = nil) {
        self.jitter = jitter
        self.asked = asked
        attempts = asked == nil ? 0 : 1
    }

    /// The moment to ask. `newest`: the newest day that is there.
    package func next(newest: Day?, at now: Int) -> Int {
        let today = NewYork.day(at: now)
        let tomorrow = tomorrow(at: now)
        if let newest, newest >= today { return tomorrow }
        // Without any day yet, ask at once.
        let due = newest == nil ? 0 : due(today)
        // What was asked for in the future was asked for before the clock was set back.
        guard attempts > 0, let asked, asked <= now, asked >= due || now < due else { return max(due, now) }
        return max(now, min(asked + pause, now < due ? due : tomorrow))
    }

    /// The upstream was asked.
    package mutating func ask(at now: Int, newest: Day?) {
        let today = NewYork.day(at: now)
        let isThere = newest.map { $0 >= today } ?? false
        let isFirst = asked.map { $0 < due(today) || $0 > now } ?? true
        attempts = isThere ? 0 : isFirst ? 1 : attempts + 1
        asked = now
    }

    /// When the next day is due. By a clock that is far ahead there is none, and yet nobody is asked all the time.
    private func tomorrow(at now: Int) -> Int {
        let due = due(NewYork.day(at: now).advanced(by: 1))
        return due > now ? due : now + 86_400
    }

    private var pause: Int { min(Self.firstPause << min(max(attempts - 1, 0), 8), Self.longestPause) }

    private func due(_ day: Day) -> Int { NewYork.moment(of: day, second: Self.earliest + jitter) }
}
