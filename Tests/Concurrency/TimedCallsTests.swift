import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Concurrency

@Suite("What may never answer", .timeLimit(.minutes(1)))
struct TimedCallsTests {
    /// Answers when it is signalled.
    private final class Silence: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        let asked = Atomic(0)

        func wait() -> Int {
            let number = asked.add(1, ordering: .relaxed).newValue
            semaphore.wait()
            semaphore.signal()
            return number
        }

        func end() { semaphore.signal() }
    }

    /// How many of so many that ask at once are answered.
    private func answered(_ count: Int, _ calls: TimedCalls<Int>, _ silence: Silence) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    await blocking { calls.answer(of: 1, where: { $0 == 1 }, to: { silence.wait() }) != nil }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    @Test("is asked once, by however many at the same time, and others are asked meanwhile", arguments: [1, 2, 20])
    func once(count: Int) async throws {
        let isBack = Awaited(0)
        let calls = TimedCalls<Int>(limit: .milliseconds(200)) { isBack.update { $0 += 1 } }
        let silence = Silence()
        #expect(await answered(count, calls, silence) == 0)
        #expect(silence.asked.load(ordering: .relaxed) == 1)
        #expect(calls.answer(of: 2, where: { $0 == 2 }, to: { "here" }) == "here")
        #expect(isBack.value == 0)
        silence.end()
        _ = try await isBack.first { $0 == 1 }
        #expect(await answered(count, calls, silence) == count)
        #expect(isBack.value == 1)
    }

    @Test("takes no more than eight threads")
    func most() {
        let calls = TimedCalls<Int>(limit: .milliseconds(10))
        let silence = Silence()
        for whom in 1...10 { #expect(calls.answer(of: whom, where: { $0 == whom }, to: { silence.wait() }) == nil) }
        #expect(silence.asked.load(ordering: .relaxed) == 8)
        silence.end()
    }
}
