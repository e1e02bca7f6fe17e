import Synchronization

/// Wakes one listener. It hears all that has rung since it last listened as one ring.
package final class Doorbell: Sendable {
    private struct State {
        var isRung = false
        var listener: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    package init() {}

    package func ring() { wake(by: true) }

    private func wake(by isRing: Bool) {
        let listener = state.withLock { state in
            defer { state.listener = nil }
            if isRing, state.listener == nil { state.isRung = true }
            return state.listener
        }
        listener?.resume()
    }

    /// Forgets a ring that nobody has heard.
    package func silence() { state.withLock { $0.isRung = false } }

    /// Returns when it rings; throws when the task is cancelled.
    package func rung() async throws(CancellationError) {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if state.isRung || Task.isCancelled {
                        state.isRung = false
                        return true
                    }
                    state.listener = continuation
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            wake(by: false)
        }
        if Task.isCancelled { throw CancellationError() }
    }
}
