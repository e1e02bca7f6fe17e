internal import Concurrency
import Synchronization

/// When the folder has rested, or has been restless for too long to wait any more.
final class Debounce: Sendable {
    private struct Unrest {
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let unrest = Mutex<Unrest?>(nil)
    private let delay: Duration
    private static let longest = Duration.seconds(10)

    init(delay: Duration) { self.delay = delay }

    func restart() {
        let now = ContinuousClock.now
        unrest.withLock { $0 = Unrest(first: $0?.first ?? now, last: now) }
    }

    /// Returns false if the task is cancelled.
    func settles() async -> Bool {
        while true {
            let due = unrest.withLock { unrest in
                let due = unrest.map { min($0.last + delay, $0.first + Self.longest) }
                guard let due, due > .now else {
                    unrest = nil
                    return Optional<ContinuousClock.Instant>.none
                }
                return due
            }
            guard let due else { return !Task.isCancelled }
            do { try await sleep(until: due) } catch { return false }
        }
    }
}
