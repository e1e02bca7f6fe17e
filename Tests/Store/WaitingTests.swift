import Apod
import Files
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Store

/// Who waits for whom: turns to work on a day, batches of a commit, listeners for changes.
struct WaitingTests {
    private let day = november(20)

    @Test("Turns to work on a day are one's own, in the order of those who wait")
    func turns() async throws {
        let keyLocks = KeyLocks()
        try await keyLocks.lock(day)
        try await keyLocks.lock(day.advanced(by: 1))
        let order = Mutex<[Int]>([])
        let day = day
        await withTaskGroup { group in
            for number in 0..<10 {
                let task = Task { try await keyLocks.lock(day) }
                task.cancel()
                await #expect(throws: CancellationError.self) { try await task.value }
                group.addTask { @Sendable in
                    try? await keyLocks.lock(day)
                    order.withLock { $0.append(number) }
                    keyLocks.unlock(day)
                }
                await #expect(throws: Never.self) {
                    try await lookOut(for: "number \(number)") { keyLocks.waitingCount > number }
                }
            }
            #expect(order.withLock { $0.isEmpty })
            keyLocks.unlock(day)
        }
        #expect(order.withLock(\.self) == Array(0..<10))
        try await keyLocks.lock(day)
    }

    private struct Mishap: Error, Equatable { let batch: [Int] }

    /// What comes during a batch is the next. Of a batch that fails, each is tried alone.
    @Test("Batches gather what arrives, and tell an error to those whose fault it is", arguments: [3, 13])
    func gather(third: Int) async {
        let commit = GroupCommit<Int>(distance: .zero)
        let batches = Mutex<[[Int]]>([])
        let failures = Mutex<[Int: Mishap]>([:])
        let begun = Awaited(0)
        let isOpen = Awaited(false)
        let items = [1, 2, third, 4, 5]
        await withTaskGroup { group in
            for item in items {
                group.addTask { @Sendable in
                    do {
                        try await commit.add(item) { batch in
                            batches.withLock { $0.append(batch.sorted()) }
                            begun.update { $0 += 1 }
                            _ = try await isOpen.first { $0 }
                            if batch.contains(13) { throw Mishap(batch: batch) }
                        }
                    } catch {
                        failures.withLock { $0[item] = error as? Mishap }
                    }
                }
                if item == 1 { _ = try? await begun.first { $0 > 0 } }
            }
            await #expect(throws: Never.self) {
                try await lookOut(for: "the others") { await commit.waitingCount == 4 }
            }
            isOpen.update { $0 = true }
        }
        let done = batches.withLock(\.self)
        #expect(done.prefix(2) == [[1], [2, third, 4, 5].sorted()])
        #expect(done.dropFirst(2).map { $0[0] }.sorted() == (third == 13 ? [2, 4, 5, 13] : []))
        let failed = failures.withLock(\.self)
        #expect(failed == (third == 13 ? [13: Mishap(batch: [13])] : [:]))
    }

    @Test("Of a day that came, but could not be made the latest, is told", arguments: [false, true])
    func newKeys(isFound: Bool) async throws {
        let (fixture, other) = (try ArchiveFixture(), try ArchiveFixture())
        let archive = try fixture.archive()
        try await fixture.add(day.advanced(by: -1))
        archive.newKeys.take()
        try await other.add(day)
        // In the way of the link that is to become `latest`.
        mkdir(fixture[".apod-mirror/latest.new"], 0o755)
        if isFound {
            for name in other.tree where name.contains("11-20") && !name.contains(">") {
                try save(contents("\(other.root)/\(name)"), to: fixture[name])
            }
            #expect(throws: Problem.self) { try archive.rediscover([day]) }
        } else {
            await #expect(throws: Problem.self) { try await fixture.add(day) }
        }
        #expect(try fixture.openCatalog.item(of: day)?.state == .mirrored)
        try await archive.newKeys.changed()
        #expect(archive.newKeys.take() == [.day(day)])
    }
}
