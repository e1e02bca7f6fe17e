import Concurrency
package import Syncing

extension Refresh {
    /// A refresh under way.
    package struct Running: Sendable {
        /// What happens, as it happens. Ends when all is done or given up; throws only what kept it from going on.
        package let events: AsyncThrowingStream<RefreshEvent, any Error>
        /// Makes it end soon, with nothing half done.
        package let cancel: @Sendable () -> Void
    }

    package func start(_ request: RefreshRequest) -> Running {
        let (events, continuation) = AsyncThrowingStream<RefreshEvent, any Error>.makeStream()
        let task = Task(executorPreference: ThreadExecutor.shared) {
            do throws(RefreshError) {
                try await run(request) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
        continuation.onTermination = { _ in task.cancel() }
        return Running(events: events, cancel: { task.cancel() })
    }
}
