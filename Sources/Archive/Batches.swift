/// Gathers what arrives while a batch is being worked on into the next batch.
actor Batches<Item: Sendable, Failure: Error> {
    private enum Turn: Sendable {
        case finished(Result<Void, Failure>)
        case lead
    }

    private struct Waiter {
        let item: Item
        let continuation: CheckedContinuation<Turn, Never>
    }

    private var waiting: [Waiter] = []
    private var isBusy = false

    /// How many items are in the next batch so far.
    var waitingCount: Int { waiting.count }

    /// Returns when a batch with this item is done. One of those who wait does the work for all.
    func add(
        _ item: Item, work: @Sendable ([Item]) async throws(Failure) -> Void
    ) async throws(Failure) {
        var batch = [item]
        var others: [Waiter] = []
        if isBusy {
            let turn = await withCheckedContinuation { waiting.append(Waiter(item: item, continuation: $0)) }
            if case .finished(let result) = turn { return try result.get() }
            others = waiting
            batch += others.map(\.item)
            waiting = []
        }
        isBusy = true
        let result = await Self.result(of: work, on: batch)
        for other in others { other.continuation.resume(returning: .finished(result)) }
        if waiting.isEmpty {
            isBusy = false
        } else {
            waiting.removeFirst().continuation.resume(returning: .lead)
        }
        try result.get()
    }

    private static func result(
        of work: @Sendable ([Item]) async throws(Failure) -> Void, on batch: [Item]
    ) async -> Result<Void, Failure> {
        do throws(Failure) { return .success(try await work(batch)) } catch { return .failure(error) }
    }
}
