import Apod
import Archive
import Concurrency
import Configuration
import Control
import Syncing

/// Asks for the other lists once a day, and for one that did not come after growing pauses.
struct ListService: Sendable {
    let context: ServiceContext

    /// The longest wait for room, in seconds: another disk than the mirror's may be full.
    private static let longestWait = 3600

    /// Runs until the task is cancelled, or nothing is left to do and there are no lists.
    func run() async throws {
        let mirror = context.mirror
        var isSettled = false
        while !isSettled || !mirror.settings.lists.isEmpty {
            let (due, next) = await blocking { mirror.dueLists }
            if isSettled, due.isEmpty {
                try await context.time.wait(until: next)
                continue
            }
            // The day's picture comes first.
            while context.activity.now.isRefreshing { try await sleep(for: .seconds(1)) }
            let error = try await context.listGate.inBackground { [isSettled] in
                try await context.run { report in
                    let round = ListRound(mirror, report)
                    if isSettled { try await round.refresh(due) } else { try await round.run(due) }
                }
            }
            try Task.checkCancellation()
            isSettled = error == nil
            // A person's command has interrupted it.
            if error?.code == .stopped { continue }
            context.statusChanges.signal()
            await context.releaseMemory()
            if let error { try await waitForRoom(after: error) }
        }
    }

    /// Throws the error unless the disk is full.
    private func waitForRoom(after error: Problem) async throws {
        guard let diskFull = DiskFullWait(error, free: await context.free) else { throw error }
        context.tell(of: error, Notice(.refreshFailed, error.words))
        let retry = context.time.now + Self.longestWait
        context.activity.change { $0.troubles[.lists] = .init(error, retry: retry) }
        defer { context.activity.change { $0.troubles[.lists] = nil } }
        try await context.waitForRoom(since: diskFull, until: retry)
    }
}
