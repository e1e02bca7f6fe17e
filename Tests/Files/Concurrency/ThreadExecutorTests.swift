import Files
import Glibc
import TestSupport
import Testing

struct ThreadExecutorTests {
    @Test("The program's own threads do not wake tasks before their time is over")
    func length() async throws {
        let (start, used) = (ContinuousClock.now, clock())
        try await sleep(for: .milliseconds(400))
        // Nor do they spin until then: that would take all of a processor.
        #expect(.now - start >= .milliseconds(400) && clock() - used < 100_000)
        try await sleep(until: start)
        try await sleep(for: .seconds(-1))
    }

    @Test(
        "The program's own threads wake tasks that are cancelled at once, before and while they wait",
        .patience)
    func cancelled() async {
        for _ in 0..<200 {
            let task = Task(executorPreference: ThreadExecutor.shared) { try await sleep(for: .seconds(3600)) }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        let waiting = Task(executorPreference: ThreadExecutor.shared) { try await sleep(for: .seconds(3600)) }
        try? await sleep(for: .milliseconds(20))
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
