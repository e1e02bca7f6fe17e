import Synchronization

/// Time that passes when a test says so.
final class TestClock: Sendable {
    private let start = ContinuousClock.now
    private let state = Mutex((seconds: 1_800_000_000, passed: Duration.zero))

    /// Since 1970.
    var seconds: Int { state.withLock { $0.seconds + Int($0.passed.components.seconds) } }
    var instant: ContinuousClock.Instant { start + state.withLock { $0.passed } }

    func advance(by time: Duration) { state.withLock { $0.passed += time } }

    /// As when somebody sets the clock.
    func step(by seconds: Int) { state.withLock { $0.seconds += seconds } }
}
