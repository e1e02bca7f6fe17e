import Apod
import Synchronization
import TestSupport
import Testing

@testable import Archive

struct DayLocksTests {
    private let day = Day("2019-04-30")!
    private let dayLocks = DayLocks()

    @Test("Turns to work on a day are one's own, and of the one who waits longest next")
    func order() async throws {
        try await dayLocks.lock(day)
        try await dayLocks.lock(day.advanced(by: 1))
        let order = Mutex<[Int]>([])
        await withTaskGroup { group in
            for number in 0..<10 {
                group.addTask { @Sendable in
                    try? await dayLocks.lock(day)
                    order.withLock { $0.append(number) }
                    dayLocks.unlock(day)
                }
                await #expect(throws: Never.self) {
                    try await lookOut(for: "number \(number)") { dayLocks.waitingCount > number }
                }
            }
            #expect(order.withLock { $0.isEmpty })
            dayLocks.unlock(day)
        }
        #expect(order.withLock(\.self) == Array(0..<10))
        try await dayLocks.lock(day)
    }

    @Test("Turns to work on a day are not waited for by those who are not wanted any more")
    func cancelled() async throws {
        try await dayLocks.lock(day)
        let waiting = Task { try await dayLocks.lock(day) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        dayLocks.unlock(day)
        try await dayLocks.lock(day)
    }

    @Test("Turns to work on a day are never two people's")
    func many() async throws {
        let busy = Mutex(0)
        let most = Mutex(0)
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { @Sendable in
                    try? await dayLocks.lock(day)
                    let now = busy.withLock { busy in
                        busy += 1
                        return busy
                    }
                    most.withLock { $0 = max($0, now) }
                    await Task.yield()
                    busy.withLock { $0 -= 1 }
                    dayLocks.unlock(day)
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
    }
}
