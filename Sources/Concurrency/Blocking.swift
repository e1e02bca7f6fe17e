import Synchronization

/// Runs work that waits for the disk, away from the threads that tasks share.
package func blocking<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
        Workers.shared.add { continuation.resume(returning: Result { () throws(Failure) in try work() }) }
    }
    return try result.get()
}

/// Threads that may wait for the disk. `ThreadExecutor` has about one thread for each core, and tasks need those. A
/// task that prefers this executor may wait itself, without `blocking`.
package final class Workers: TaskExecutor {
    fileprivate typealias Job = @Sendable () -> Void

    private struct State {
        var jobs: [Job] = []
        var busy = 0
        var threads = 0
    }

    package static let shared = Workers()

    private let state = Monitor(State())
    private static let mostThreads = 8

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        add { job.runSynchronously(on: Workers.shared.asUnownedTaskExecutor()) }
    }

    fileprivate func add(_ job: @escaping Job) {
        let needsThread = state.change { state in
            state.jobs.append(job)
            guard state.jobs.count > state.threads - state.busy, state.threads < Self.mostThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { startThread { self.work() } }
    }

    private func work() {
        var isBusy = false
        while true {
            let job = state.waitAndTake { state in
                if isBusy { state.busy -= 1 }
                isBusy = !state.jobs.isEmpty
                if !isBusy { return Job?.none }
                state.busy += 1
                return state.jobs.removeFirst()
            }
            job()
        }
    }
}

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
