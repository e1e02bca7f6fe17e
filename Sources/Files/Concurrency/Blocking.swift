/// Runs work that waits for the disk on `Workers`, away from the threads that tasks share. It is the task itself that
/// works there: its cancellation reaches the work (`Task.isCancelled`).
@concurrent
package func blocking<Value: Sendable, Failure: Error>(
    _ work: @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await withTaskExecutorPreference(Workers.shared) { () throws(Failure) in try work() }
}

/// Threads that may wait for the disk. `ThreadExecutor` has about one thread for each core, and tasks need those. A
/// task that prefers this executor may wait itself, without `blocking`.
package final class Workers: TaskExecutor {
    private struct State {
        var jobs: [UnownedJob] = []
        var busy = 0
        var threads = 0
    }

    package static let shared = Workers()

    private let state = Monitor(State())
    private static let mostThreads = 8

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
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
                if !isBusy { return UnownedJob?.none }
                state.busy += 1
                return state.jobs.removeFirst()
            }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
