import Synchronization
import TestSupport
import Testing

@testable import Files

struct AsyncSemaphoreTests {
    /// Returns when all of them wait.
    private func queue(
        _ ranks: [Int], on slots: AsyncSemaphore, in group: inout DiscardingTaskGroup, _ order: Awaited<[Int]>
    )
        async
    {
        for (index, rank) in ranks.enumerated() {
            group.addTask {
                await slots.wait(rank: rank)
                order.update { $0.append(index) }
            }
            await #expect(throws: Never.self) {
                try await lookOut(for: "number \(index)") { await slots.waitingCount > index }
            }
        }
    }

    @Test("Places in a queue go to the highest rank first, and to who waits longer of two that are alike")
    func order() async throws {
        let (slots, order) = (AsyncSemaphore(1), Awaited<[Int]>([]))
        await slots.wait()
        await withDiscardingTaskGroup { group in
            await queue([1, 3, 2, 3], on: slots, in: &group, order)
            for count in 1...4 {
                await slots.signal()
                _ = try? await order.first { $0.count == count }
            }
        }
        #expect(order.value == [1, 3, 2, 0])
    }

    @Test("Places in a queue are no more than there are", arguments: [1, 3])
    func count(of most: Int) async throws {
        let (slots, order) = (AsyncSemaphore(most), Awaited<[Int]>([]))
        for _ in 0..<most { await slots.wait() }
        await withDiscardingTaskGroup { group in
            await queue([0], on: slots, in: &group, order)
            #expect(order.value.isEmpty)
            await slots.signal()
        }
        #expect(order.value == [0])
    }

    @Test("Places in a queue are free again when the work in them has failed", .patience)
    func failure() async {
        let slots = AsyncSemaphore(1)
        for _ in 0..<2 {
            await #expect(throws: CancellationError.self) {
                try await slots.holding { () async throws(CancellationError) in throw CancellationError() }
            }
        }
    }
}
