import Apod
import Files
import Synchronization
import Testing

@testable import Archive

@Suite("Turns to work on a day")
struct DayTurnsTests {
    private let day = Day("2019-04-30")!
    private let turns = DayTurns()

    @Test("are one's own, and of the one who waits longest next")
    func order() async throws {
        try await turns.take(day)
        try await turns.take(day.advanced(by: 1))
        let order = Mutex<[Int]>([])
        await withTaskGroup { group in
            for number in 0..<10 {
                group.addTask { @Sendable in
                    try? await turns.take(day)
                    order.withLock { $0.append(number) }
                    turns.give(day)
                }
                while turns.waitingCount <= number { await Task.yield() }
            }
            #expect(order.withLock { $0.isEmpty })
            turns.give(day)
        }
        #expect(order.withLock(\.self) == Array(0..<10))
        try await turns.take(day)
    }

    @Test("are not waited for by those who are not wanted any more")
    func cancelled() async throws {
        try await turns.take(day)
        let waiting = Task { try await turns.take(day) }
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
        turns.give(day)
        try await turns.take(day)
    }

    @Test("are never two people's")
    func many() async throws {
        let busy = Mutex(0)
        let most = Mutex(0)
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask { @Sendable in
                    try? await turns.take(day)
                    let now = busy.withLock { busy in
                        busy += 1
                        return busy
                    }
                    most.withLock { $0 = max($0, now) }
                    await Task.yield()
                    busy.withLock { $0 -= 1 }
                    turns.give(day)
                }
            }
        }
        #expect(most.withLock { $0 } == 1)
    }
}
