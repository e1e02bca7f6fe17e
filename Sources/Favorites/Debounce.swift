internal import Concurrency
import Synchronization

/// Waits until nothing has changed for `delay`, but no longer than `longest` after the first change.
final class Debounce: Sendable {
    private struct Burst {
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let burst = Mutex<Burst?>(nil)
    private let delay: Duration
    private let longest: Duration

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
