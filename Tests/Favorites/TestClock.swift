import Synchronization

/// Time that passes when a test says so.
final class TestClock: Sendable {
    private struct State {
        var seconds = 1_800_000_000
        var instant = ContinuousClock.now
        var settleDelay = Duration.zero
    }

    private let state = Mutex(State())

    /// Since 1970.
    var seconds: Int { state.withLock(\.seconds) }
    var instant: ContinuousClock.Instant { state.withLock(\.instant) }

    func advance(by time: Duration) {
        state.withLock { state in
            state.instant += time
            state.settleDelay += time
            state.seconds += Int(state.settleDelay.components.seconds)
            state.settleDelay -= .seconds(state.settleDelay.components.seconds)
        }
    }

    /// As when somebody sets the clock.
    func step(by seconds: Int) { state.withLock { $0.seconds += seconds } }
}
