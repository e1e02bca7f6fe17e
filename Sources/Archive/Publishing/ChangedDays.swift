package import Apod
import Synchronization

/// The days, and items of other lists, that changed in any way, collected for one listener.
package final class ChangedDays: Sendable {
    private let stream: AsyncStream<Void>
    private let signalled: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    private struct State {
        var days: Set<Day> = []
        /// Whether something has changed since the last `take`.
        var hasNews = false
    }

    package init() {
        (stream, signalled) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Wakes the listener, who calls `take`. Several changes can share one signal.
    package var signals: AsyncFilterSequence<AsyncStream<Void>> {
        // Of a change that was taken with another, the signal is left.
        stream.filter { [self] in state.withLock(\.hasNews) }
    }

    package func add(_ new: some Sequence<Day>) {
        let new = Array(new)
        if !new.isEmpty { signal(new) }
    }

    /// Wakes the listener, also where no day has changed.
    package func signal(_ new: [Day] = []) {
        state.withLock { state in
            state.days.formUnion(new)
            state.hasNews = true
        }
        signalled.yield()
    }

    /// The days that have not been taken yet.
    package var all: Set<Day> { state.withLock(\.days) }

    /// Returns the days that have changed since the last call.
    @discardableResult
    package func take() -> Set<Day> {
        state.withLock { state in
            defer { state = State() }
            return state.days
        }
    }
}
