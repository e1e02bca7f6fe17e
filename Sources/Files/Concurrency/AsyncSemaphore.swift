/// Limits how many tasks work at once. Of the waiting ones, the highest rank comes first.
package actor AsyncSemaphore {
    private var free: Int
    private var waiting: [(rank: Int, continuation: CheckedContinuation<Void, Never>)] = []

    package init(_ count: Int) { free = count }

    package var waitingCount: Int { waiting.count }

    /// Runs `work` between `wait` and `signal`.
    package nonisolated func holding<Value, Failure: Error>(
        rank: Int = 0, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        await wait(rank: rank)
        let result: Result<Value, Failure>
        do throws(Failure) { result = .success(try await work()) } catch { result = .failure(error) }
        await signal()
        return try result.get()
    }

    package func wait(rank: Int = 0) async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { continuation in
                let index = waiting.firstIndex { $0.rank < rank } ?? waiting.endIndex
                waiting.insert((rank, continuation), at: index)
            }
        }
    }

    package func signal() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().continuation.resume()
        }
    }
}
