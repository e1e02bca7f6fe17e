internal import Archive
internal import Favorites

/// Lets go of what is not to be kept any longer.
struct Clearing: Sendable {
    let station: Station
    let keeper: Keeper
    /// Rung when there may be more than before, and when the favorites are known.
    let occasions: AsyncStream<Void>

    func run() async throws(ArchiveError) {
        try await clear()
        for await _ in occasions { try await clear() }
    }

    /// Not before it is known what the favorites are.
    private func clear() async throws(ArchiveError) {
        guard keeper.knowsFavorites else { return }
        let pruning = try await station.session.retention.apply()
        for notice in pruning.notices { station.tell(notice) }
        if !pruning.days.isEmpty { await station.rest() }
    }
}
