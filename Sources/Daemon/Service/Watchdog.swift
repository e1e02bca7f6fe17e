internal import Concurrency

/// Tells that the service is alive, as long as all questions are answered.
struct Watchdog: Sendable {
    /// Returns when the part it asks has answered.
    typealias Question = @Sendable () async -> Void

    let interval: Duration
    let isAlive: @Sendable () -> Void

    /// Runs until the task is cancelled. A question without an answer stops it.
    func run(_ questions: @Sendable () -> [Question]) async throws(CancellationError) {
        while true {
            await withDiscardingTaskGroup { group in
                for question in questions() { group.addTask { await question() } }
            }
            isAlive()
            try await sleep(for: interval)
        }
    }
}
