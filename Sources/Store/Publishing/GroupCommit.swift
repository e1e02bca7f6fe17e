import Files

/// Gathers the items that arrive during a batch, or right after it, into the next batch.
actor GroupCommit<Item: Sendable> {
    private enum Role: Sendable {
        case finished(Result<Void, any Error>)
        case lead
    }

    private struct Waiter {
        let item: Item
        let continuation: CheckedContinuation<Role, Never>
    }

    private var waiting: [Waiter] = []
    private var isBusy = false
    private let distance: Duration
    private var earliest = ContinuousClock.now

    /// `distance`: the shortest time between the starts of two batches.
    init(distance: Duration) { self.distance = distance }

    /// How many items are in the next batch so far.
    var waitingCount: Int { waiting.count }

    /// Returns when a batch with this item is done. One of the waiting callers does the work for all.
    func add(_ item: Item, work: @Sendable ([Item]) async throws -> Void) async throws {
        if isBusy {
            let role = await withCheckedContinuation { waiting.append(Waiter(item: item, continuation: $0)) }
            if case .finished(let result) = role { return try result.get() }
        }
        isBusy = true
        // A cancelled task does not wait.
        try? await sleep(until: earliest)
        earliest = .now + distance
        let others = waiting
        waiting = []
        var result = await Self.result(of: work, on: [item] + others.map(\.item))
        if case .failure = result, !others.isEmpty {
            // Any of the items may be at fault, so each is tried alone.
            result = await Self.result(of: work, on: [item])
            for other in others {
                other.continuation.resume(returning: .finished(await Self.result(of: work, on: [other.item])))
            }
        } else {
            for other in others { other.continuation.resume(returning: .finished(result)) }
        }
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
        try result.get()
    }

    private static func result(
        of work: @Sendable ([Item]) async throws -> Void, on batch: [Item]
    ) async -> Result<Void, any Error> {
        do { return .success(try await work(batch)) } catch { return .failure(error) }
    }
}
