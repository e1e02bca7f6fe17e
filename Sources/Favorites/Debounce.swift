internal import Concurrency
import Synchronization

/// When nothing has changed for a while, or changes have gone on for too long to wait any more.
final class Debounce: Sendable {
    private struct Burst {
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let burst = Mutex<Burst?>(nil)
    private let delay: Duration
    private let longest: Duration

    /// `longest`: since the first change.
    init(delay: Duration, longest: Duration = .seconds(10)) { (self.delay, self.longest) = (delay, longest) }

    func restart() {
        let now = ContinuousClock.now
        burst.withLock { $0 = Burst(first: $0?.first ?? now, last: now) }
    }

    /// Returns false if the task is cancelled.
    func waitUntilQuiet() async -> Bool {
        while true {
            let due = burst.withLock { burst in
                let due = burst.map { min($0.last + delay, $0.first + longest) }
                guard let due, due > .now else {
                    burst = nil
                    return Optional<ContinuousClock.Instant>.none
                }
                return due
            }
            guard let due else { return !Task.isCancelled }
            do { try await sleep(until: due) } catch { return false }
        }
    }
}
