import Synchronization

/// Set once, by whoever does not want to wait any more.
package final class StopFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() { value.store(true, ordering: .relaxed) }
}

/// Blocking work that looks at a flag, which is set when the task is cancelled.
package func stoppable<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable (StopFlag) throws(Failure) -> Value
) async throws(Failure) -> Value {
    let stop = StopFlag()
    let result = await withTaskCancellationHandler {
        await blocking { Result { () throws(Failure) in try work(stop) } }
    } onCancel: {
        stop.set()
    }
    return try result.get()
}
