import Synchronization

/// Whether something goes on in the refreshes that are under way.
final class StallDetector: Sendable {
    private struct State {
        var underway = 0
        var last = ContinuousClock.now
        var signs = 0
    }

    private let state = Mutex(State())
    private let longest: Duration

    /// `distance`: between the beginnings of two requests.
    init(distance: Duration) {
        // The slowest of servers is given up sooner, behind the pause between two requests.
        longest = .seconds(900) + distance
    }

    func begin() {
        state.withLock { state in
            state.underway += 1
            state.last = .now
        }
    }

    func beat() { state.withLock { $0.last = .now } }

    func end() { state.withLock { $0.underway -= 1 } }

    /// `signs`: of life, another number than before if there was one.
    func isStuck(signs: Int, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if signs != state.signs { (state.signs, state.last) = (signs, now) }
            return state.underway > 0 && now - state.last > longest
        }
    }
}
