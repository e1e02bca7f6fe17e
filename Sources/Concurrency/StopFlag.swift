import Synchronization

/// A flag that asks blocking work to stop. It is never cleared.
package final class StopFlag: Sendable {
    private let value = Atomic(false)

    package init() {}

    package var isSet: Bool { value.load(ordering: .relaxed) }

    package func set() { value.store(true, ordering: .relaxed) }
}

/// Runs blocking work with a flag that is set when the task is cancelled.
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
