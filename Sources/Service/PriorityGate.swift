import Files
import Synchronization

/// Lets urgent work interrupt background work.
final class PriorityGate: Sendable {
    private struct State {
        var urgent = 0
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private static let interval = Duration.seconds(1)

    /// Interrupts background work, and works.
    func urgently<Value, Failure: Error>(
        _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let interrupt = state.withLock { state in
            state.urgent += 1
            return state.interrupt
        }
        interrupt?()
        defer { state.withLock { $0.urgent -= 1 } }
        return try await work()
    }

    /// Waits until nothing is urgent, then works. The work's task is cancelled when something urgent comes.
    func inBackground<Value: Sendable>(_ work: @escaping @Sendable () async throws -> Value) async throws -> Value {
        while true {
            guard let task = begin(work) else {
                try await sleep(for: Self.interval)
                continue
            }
            defer { state.withLock { $0.interrupt = nil } }
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        }
    }

    /// Starts the work; nil while something is urgent. Under the lock, so that urgent work finds either no task or one
    /// to cancel.
    private func begin<Value: Sendable>(
        _ work: @escaping @Sendable () async throws -> Value
    ) -> Task<Value, any Error>? {
        state.withLock { state in
            guard state.urgent == 0 else { return nil }
            let task = Task(executorPreference: ThreadExecutor.shared, operation: work)
            state.interrupt = { task.cancel() }
            return task
        }
    }
}
