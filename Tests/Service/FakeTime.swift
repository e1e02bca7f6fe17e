import Service
import TestSupport

/// A clock that stands still until a test sets it.
final class FakeTime: Timekeeping {
    private struct State: Sendable {
        var now: Int
        var timesSetBack = 0
        var waits: [Int: Int] = [:]
        var next = 0
    }

    private let state: Awaited<State>

    init(_ now: Int) { state = Awaited(State(now: now)) }

    var now: Int { state.value.now }

    func set(_ moment: Int) {
        state.update { state in
            if moment < state.now { state.timesSetBack += 1 }
            state.now = moment
        }
    }

    func pass(_ seconds: Int) { set(now + seconds) }

    func wait(until moment: Int) async throws(CancellationError) {
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
    func awaited(from moment: Int) async throws {
        _ = try await state.first { $0.waits.values.contains { $0 >= moment } }
    }

    func awaited(exactly moment: Int) async throws { _ = try await state.first { $0.waits.values.contains(moment) } }

    /// The moment that is waited for next, as soon as there is one.
    func nextWait() async throws -> Int {
        try await state.first { !$0.waits.isEmpty }.waits.values.min()!
    }
}
