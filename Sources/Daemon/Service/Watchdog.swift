internal import Concurrency

/// Tells that the service is alive, as long as all that it is made of answers.
struct Watchdog: Sendable {
    /// Returns when what is asked has answered.
    typealias Question = @Sendable () async -> Void

    let interval: Duration
    let isAlive: @Sendable () -> Void

    /// Until the task is cancelled. Who has stopped working keeps the others from being told alive.
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
