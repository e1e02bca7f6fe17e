import Synchronization
import TestSupport
import Testing

@testable import Archive

struct GroupCommitTests {
    private struct Mishap: Error, Equatable { let batch: [Int] }

    /// Works on batches one at a time, each as soon as it is let.
    private final class Workshop: Sendable {
        let batches = Mutex<[[Int]]>([])
        let failures = Mutex<[Int: Mishap]>([:])
        let working = Atomic(0)
        private let gate: AsyncStream<Void>
        let open: AsyncStream<Void>.Continuation
        private let bell: AsyncStream<Void>
        private let ring: AsyncStream<Void>.Continuation

        init() {
            (gate, open) = AsyncStream.makeStream()
            (bell, ring) = AsyncStream.makeStream()
        }

        func work(_ batch: [Int]) async throws {
            batches.withLock { $0.append(batch) }
            ring.yield()
            for await _ in gate { break }
            if batch.contains(13) { throw Mishap(batch: batch) }
        }

        func begun() async { for await _ in bell { break } }
    }

    /// The first item alone, then the others together.
    private func run(_ items: [Int]) async -> (batches: [[Int]], failures: [Int: Mishap]) {
        let (batches, workshop) = (GroupCommit<Int>(distance: .zero), Workshop())
        await withTaskGroup { group in
            for item in items {
                group.addTask {
                    do {
                        try await batches.add(item) { batch in try await workshop.work(batch) }
                    } catch {
                        workshop.failures.withLock { $0[item] = error as? Mishap }
                    }
                }
                if item == items[0] { await workshop.begun() }
            }
            await #expect(throws: Never.self) {
                try await lookOut(for: "the others") { await batches.waitingCount >= items.count - 1 }
            }
            // A batch that fails is worked on once more, item by item.
            for _ in 0...2 * items.count { workshop.open.yield() }
            await group.waitForAll()
        }
        return (workshop.batches.withLock(\.self), workshop.failures.withLock(\.self))
    }

    @Test("Batches gather what arrives during a batch into the next")
    func gather() async {
        let (batches, failures) = await run([1, 2, 3, 4, 5])
        #expect(batches.map { $0.sorted() } == [[1], [2, 3, 4, 5]])
        #expect(failures.isEmpty)
    }

    @Test("Batches try each item alone when a batch fails, and tell an error to those whose fault it is")
    func errors() async {
        let (batches, failures) = await run([1, 2, 13, 4])
        #expect(batches.map { $0.sorted() }.prefix(2) == [[1], [2, 4, 13]])
        #expect(batches.dropFirst(2).map { $0[0] }.sorted() == [2, 4, 13])
        #expect(failures == [13: Mishap(batch: [13])])
    }

    @Test("Batches begin at a distance from each other")
    func distance() async throws {
        let distance = Duration.milliseconds(200)
        let (batches, start) = (GroupCommit<Int>(distance: distance), ContinuousClock.now)
        for item in 0..<3 { try await batches.add(item) { _ in } }
        #expect(.now - start >= distance * 2)
    }

    @Test("Batches lose nothing when many arrive at once, and never work on two at the same time")
    func many() async throws {
        let (batches, workshop) = (GroupCommit<Int>(distance: .zero), Workshop())
        try await withThrowingTaskGroup { group in
            for item in 0..<500 {
                group.addTask {
                    try await batches.add(item) { batch in
                        #expect(workshop.working.add(1, ordering: .relaxed).newValue == 1)
                        await Task.yield()
                        workshop.batches.withLock { $0.append(batch) }
                        workshop.working.subtract(1, ordering: .relaxed)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(workshop.batches.withLock { $0.flatMap(\.self) }.sorted() == Array(0..<500))
    }
}
