import Synchronization

/// Those who wait for a thread to answer, and so know that it works.
package final class Askers: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isOver = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the thread, and returns when it has answered.
    package func ask(by alarm: Alarm) async {
        await withCheckedContinuation { asker in
            add(asker)
            alarm.wake()
        }
    }

    private func add(_ asker: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(asker) }
            return state.isOver
        }
        if isOver { asker.resume() }
    }

    /// For the thread, after it has been woken. Returns whether anybody had asked.
    @discardableResult
    package func answer() -> Bool {
        let askers = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for asker in askers { asker.resume() }
        return !askers.isEmpty
    }

    /// For the thread, when it ends: nobody has to wait any more.
    package func end() {
        state.withLock { $0.isOver = true }
        answer()
    }
}
