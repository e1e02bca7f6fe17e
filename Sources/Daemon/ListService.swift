internal import Archive
internal import Concurrency
internal import Configuration
internal import Control
internal import Files
internal import Syncing

/// Asks for the other lists once a day, and for one that did not come after growing pauses.
struct ListService: Sendable {
    let context: ServiceContext
    let updates: ListUpdates

    /// Runs until the task is cancelled, or there are no lists.
    func run() async throws {
        try await context.mirror.settleLists(updates.update)
        let lists = context.mirror.settings.lists
        if lists.isEmpty { return }
        // Where a full disk keeps the catalogs from saying so.
        var earliest = 0
        while true {
            let (due, next) = await blocking { [mirror = context.mirror] in mirror.dueLists(lists) }
            if due.isEmpty || context.time.now < earliest {
                try await context.time.wait(until: max(next, earliest))
                continue
            }
            earliest = context.time.now + 600
            // The day's picture comes first.
            while context.activity.now.isRefreshing { try await sleep(for: .seconds(1)) }
            let error = try await context.run { [mirror = context.mirror] report async throws(RefreshError) in
                try await mirror.refresh(due, for: nil, settling: updates.update, report)
            }
            context.statusChanges.signal()
            await context.releaseMemory()
            if Task.isCancelled { return }
            if let error { throw error }
        }
    }
}
