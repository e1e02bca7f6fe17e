internal import Archive

/// Lets go of what is not to be kept any longer.
struct Clearing: Sendable {
    let station: Station
    /// Rung when there may be more than before.
    let occasions: AsyncStream<Void>

    func run() async throws(ArchiveError) {
        for await _ in occasions {
            let pruning = try await station.session.retention.apply()
            for notice in pruning.notices { station.tell(notice) }
            if !pruning.days.isEmpty { await station.rest() }
        }
    }
}
