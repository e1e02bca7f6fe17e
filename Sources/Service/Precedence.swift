internal import Files
import Synchronization

/// Lets urgent work go before work that takes days.
final class Precedence: Sendable {
    private struct State {
        var urgent = 0
        var interrupt: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())
    private static let look = Duration.seconds(1)

    /// Whatever gives way is interrupted.
    func first<Value, Failure: Error>(
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

    private var isFree: Bool { state.withLock { $0.urgent == 0 } }

    /// Waits until nothing is urgent, then works. The work's task is cancelled when something urgent comes.
    func last<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async throws(CancellationError) -> Value {
        while !isFree { try await nap(for: Self.look) }
        let task = Task(executorPreference: Threads.shared, operation: work)
        let isUrgent = state.withLock { state in
            state.interrupt = { task.cancel() }
            return state.urgent > 0
        }
        if isUrgent { task.cancel() }
        defer { state.withLock { $0.interrupt = nil } }
        return await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
    }
}
