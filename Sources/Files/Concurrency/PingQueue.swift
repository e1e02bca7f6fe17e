import Synchronization

/// Tasks that wait for a thread to answer, to know that it works.
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

    /// Called by the thread when it is woken.
    package func answer() {
        let pings = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for ping in pings { ping.resume() }
    }

    /// Called before a thread begins that answers.
    package func begin() { state.withLock { $0.isOver = false } }

    /// Called by the thread when it ends: from then on, `ping` returns at once.
    package func end() {
        state.withLock { $0.isOver = true }
        answer()
    }
}
