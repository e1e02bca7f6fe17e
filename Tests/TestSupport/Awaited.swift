import Synchronization

/// A value that changes and can be waited for, so that no test sleeps.
package final class Awaited<Value: Sendable>: Sendable {
    private struct Waiter {
        let holds: @Sendable (Value) -> Bool
        let continuation: CheckedContinuation<Value, any Error>
    }

    private struct State {
        var value: Value
        var waiters: [Int: Waiter] = [:]
        var cancelled: Set<Int> = []
        var next = 0
    }

    private let state: Mutex<State>

    package init(_ value: Value) { state = Mutex(State(value: value)) }

    package var value: Value { state.withLock { $0.value } }

    @discardableResult
    package func update<Result: Sendable>(_ change: (inout Value) -> Result) -> Result {
        let (result, value, ready) = state.withLock { state in
            let result = change(&state.value)
            guard !state.waiters.isEmpty else { return (result, nil as Value?, [] as [Waiter]) }
            let ready = state.waiters.filter { $0.value.holds(state.value) }
            for key in ready.keys { state.waiters[key] = nil }
            return (result, state.value, Array(ready.values))
        }
        for waiter in ready { waiter.continuation.resume(returning: value!) }
        return result
    }

    /// The value as soon as the condition holds; throws when the task is cancelled first.
    package func first(where holds: @escaping @Sendable (Value) -> Bool) async throws -> Value {
        let key = state.withLock { state in
            state.next += 1
            return state.next
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { enter(Waiter(holds: holds, continuation: $0), as: key) }
        } onCancel: {
            leave(key)
        }
    }

    private func enter(_ waiter: Waiter, as key: Int) {
        let outcome: Result<Value, any Error>? = state.withLock { state in
            if state.cancelled.remove(key) != nil { return .failure(CancellationError()) }
            if waiter.holds(state.value) { return .success(state.value) }
            state.waiters[key] = waiter
            return nil
        }
        if let outcome { waiter.continuation.resume(with: outcome) }
    }

    private func leave(_ key: Int) {
        let waiter = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: key)
            // Cancelled before it came to wait, or after it was served: keys are not used twice, so nothing is lost.
            if waiter == nil { state.cancelled.insert(key) }
            return waiter
        }
        waiter?.continuation.resume(throwing: CancellationError())
    }
}
