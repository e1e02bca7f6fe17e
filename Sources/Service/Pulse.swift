import Synchronization

/// Whether something goes on in the refreshes that are under way.
final class Pulse: Sendable {
    private struct State {
        var underway = 0
        var last = ContinuousClock.now
        var received = 0
    }

    private let state = Mutex(State())
    private let longest: Duration

    /// `distance`: between the beginnings of two requests.
    init(distance: Duration) {
        // The slowest of servers is given up sooner, and says so. A question that fails takes a dozen turns.
        longest = max(.seconds(900), distance * 16)
    }

    func begin() {
        state.withLock { state in
            state.underway += 1
            state.last = .now
        }
    }

    func beat() { state.withLock { $0.last = .now } }

    func end() { state.withLock { $0.underway -= 1 } }

    /// `received`: how many bytes of files have come.
    func isStuck(received: Int, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if received != state.received { (state.received, state.last) = (received, now) }
            return state.underway > 0 && now - state.last > longest
        }
    }
}
