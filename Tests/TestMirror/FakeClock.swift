import Files
import TestSupport

/// A clock that stands still until a test sets it.
package final class FakeClock: WallClock {
    private struct State: Sendable {
        var now: Int
        var timesSetBack = 0
        var waits: [Int: Int] = [:]
        var next = 0
    }

    private let state: Awaited<State>

    package init(_ now: Int) { state = Awaited(State(now: now)) }

    package var now: Int { state.value.now }

    /// As when somebody sets the clock.
    package func set(_ moment: Int) {
        state.update { state in
            if moment < state.now { state.timesSetBack += 1 }
            state.now = moment
        }
    }

    package func jump(_ seconds: Int) { set(now + seconds) }

    package func jump(days: Int) { jump(days * 86_400) }

    package func pass(_ seconds: Int) { state.update { $0.now += seconds } }

    package func pass(days: Int) { pass(days * 86_400) }

    package func wait(until moment: Int) async throws(CancellationError) {
        let (key, timesSetBack) = state.update { state in
            state.next += 1
            state.waits[state.next] = moment
            return (state.next, state.timesSetBack)
        }
        defer { state.update { $0.waits[key] = nil } }
        do {
            _ = try await state.first { $0.now >= moment || $0.timesSetBack > timesSetBack }
        } catch {
            throw CancellationError()
        }
    }

    /// As soon as somebody waits for this moment or a later one.
    package func awaited(from moment: Int) async throws {
        _ = try await waits("a wait until \(moment) or longer") { $0.contains { $0 >= moment } }
    }

    package func awaited(exactly moment: Int) async throws {
        _ = try await waits("a wait until \(moment)") { $0.contains(moment) }
    }

    /// How long it is until the moment that is waited for next.
    package var nextPause: Int? { state.value.waits.values.min().map { $0 - now } }

    /// The moment that is waited for next, as soon as there is one.
    package func nextWait() async throws -> Int {
        try await waits("a wait") { !$0.isEmpty }.min()!
    }

    private func waits(_ what: String, where fits: @escaping @Sendable ([Int]) -> Bool) async throws -> [Int] {
        do {
            return Array(try await state.first { fits(Array($0.waits.values)) }.waits.values)
        } catch {
            throw Missed(what, instead: state.value)
        }
    }
}
