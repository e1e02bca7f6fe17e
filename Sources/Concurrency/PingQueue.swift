import Synchronization

/// Those who wait for a thread to answer, and so know that it works.
package final class PingQueue: Sendable {
    private struct State {
        var waiting: [CheckedContinuation<Void, Never>] = []
        var isOver = false
    }

    private let state = Mutex(State())

    package init() {}

    /// Wakes the thread, and returns when it has answered.
    package func ping(by wakeUp: EventFD) async {
        await withCheckedContinuation { ping in
            add(ping)
            wakeUp.wake()
        }
    }

    private func add(_ ping: CheckedContinuation<Void, Never>) {
        let isOver = state.withLock { state in
            if !state.isOver { state.waiting.append(ping) }
            return state.isOver
        }
        if isOver { ping.resume() }
    }

    /// For the thread, after it has been woken. Returns whether anybody had asked.
    @discardableResult
    package func answer() -> Bool {
        let pings = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for ping in pings { ping.resume() }
        return !pings.isEmpty
    }

    /// For the thread, when it ends: nobody has to wait any more.
    package func end() {
        state.withLock { $0.isOver = true }
        answer()
    }
}
