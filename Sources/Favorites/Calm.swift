internal import Files
import Synchronization

/// When the folder has rested, or has been restless for too long to wait any more.
final class Calm: Sendable {
    private struct Unrest {
        let first: ContinuousClock.Instant
        var last: ContinuousClock.Instant
    }

    private let unrest = Mutex<Unrest?>(nil)
    private let rest: Duration
    private static let longest = Duration.seconds(10)

    init(rest: Duration) { self.rest = rest }

    func disturb() {
        let now = ContinuousClock.now
        unrest.withLock { $0 = Unrest(first: $0?.first ?? now, last: now) }
    }

    /// Returns false if the task is cancelled.
    func comes() async -> Bool {
        while true {
            let due = unrest.withLock { unrest in
                let due = unrest.map { min($0.last + rest, $0.first + Self.longest) }
                guard let due, due > .now else {
                    unrest = nil
                    return Optional<ContinuousClock.Instant>.none
                }
                return due
            }
            guard let due else { return !Task.isCancelled }
            do { try await nap(until: due) } catch { return false }
        }
    }
}
