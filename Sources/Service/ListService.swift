import Apod
import Configuration
import Files
import Store
import Syncing

/// Asks for the other lists once a day, and for one that did not come after growing pauses.
actor ListService {
    private let context: ServiceContext
    /// Whether a round over all lists has come to its end.
    private var isSettled = false

    init(_ context: ServiceContext) { self.context = context }

    /// Returns when a list is due next; nil without lists.
    func round() async throws -> Int? {
        let mirror = context.mirror
        let (due, next) = await blocking { mirror.dueLists }
        if isSettled, due.isEmpty { return mirror.settings.lists.isEmpty ? nil : next }
        // The day's picture comes first.
        while context.activity.now.isRefreshing { try await sleep(for: .seconds(1)) }
        let failure = try await context.listGate.inBackground { [isSettled, context] in
            try await context.run { report in
                let round = ListRound(mirror, report)
                if isSettled { try await round.refresh(due) } else { try await round.run(due) }
            }
        }
        try Task.checkCancellation()
        isSettled = failure == nil
        context.statusChanges.signal()
        await context.releaseMemory()
        if let failure { throw failure }
        return context.time.now
    }
}
