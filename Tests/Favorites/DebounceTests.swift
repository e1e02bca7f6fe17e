import Concurrency
import TestSupport
import Testing

@testable import Favorites

struct DebounceTests {
    @Test("A change waits until others have rested, but not for longer than that", .timeLimit(.minutes(10)))
    func changesGoOn() async throws {
        let debounce = Debounce(delay: .seconds(600), longest: .seconds(1))
        let isQuiet = Awaited(false)
        debounce.restart()
        async let restless: Void = {
            while !isQuiet.value {
                debounce.restart()
                try await sleep(for: .milliseconds(1))
            }
        }()
        let start = ContinuousClock.now
        #expect(await debounce.waitUntilQuiet())
        isQuiet.update { $0 = true }
        try await restless
        let rest = Debounce(delay: .milliseconds(50), longest: .seconds(600))
        rest.restart()
        #expect(await rest.waitUntilQuiet())
        #expect(.now - start >= .milliseconds(1050))
        // Nothing has changed since.
        #expect(await rest.waitUntilQuiet())
    }
}
