import Files
package import Store
package import Syncing

extension Refresh {
    /// What happens, as it happens. Ends when all is done or given up; throws only what kept it from going on.
    package func running(_ request: RefreshRequest) -> AsyncThrowingStream<Event, any Error> {
        let (events, continuation) = AsyncThrowingStream<Event, any Error>.makeStream()
        let task = Task(executorPreference: ThreadExecutor.shared) {
            do {
                try await run(request) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return events
    }
}
