import Files
import Synchronization

/// Tells that the service is alive, as long as all questions are answered.
struct Watchdog: Sendable {
    /// Returns when the part it asks has answered.
    typealias Probe = @Sendable () async -> Void

    let interval: Duration
    let isAlive: @Sendable () -> Void

    /// Runs until the task is cancelled. A question without an answer stops it.
    func run(_ questions: @Sendable () -> [Probe]) async throws(CancellationError) {
        while true {
            await withDiscardingTaskGroup { group in
                for question in questions() { group.addTask { await question() } }
            }
            isAlive()
            try await sleep(for: interval)
        }
    }
}

/// Finds out whether what asks a server is stuck. Work on the disk may take as long as it likes.
final class StallDetector: Sendable {
    private struct State {
        var last = ContinuousClock.now
        var signs = 0
    }

    private let state = Mutex(State())
    private let longest: Duration

    /// `distance`: the time between two requests, by the setting `rate`.
    init(distance: Duration) {
        // Every server that stalls is given up sooner than that.
        longest = .seconds(900) + distance
    }

    /// `signs`: a count that changes with each sign of life. See `OpenMirror.isAsking` and `signs`.
    func isStuck(isAsking: Bool, signs: Int, at now: ContinuousClock.Instant = .now) -> Bool {
        state.withLock { state in
            if !isAsking || signs != state.signs { (state.signs, state.last) = (signs, now) }
            return now - state.last > longest
        }
    }
}
