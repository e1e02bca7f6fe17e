package import Apod
import Synchronization

/// The days that changed in any way, collected for one listener.
package final class ChangedDays: Sendable {
    /// Wakes the listener. Several changes can share one signal.
    package let signals: AsyncStream<Void>
    private let signalled: AsyncStream<Void>.Continuation
    private let days = Mutex<Set<Day>>([])

    package init() { (signals, signalled) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func add(_ new: some Sequence<Day>) {
        days.withLock { $0.formUnion(new) }
        signalled.yield()
    }

    /// Wakes the listener though no day has changed.
    package func signal() { signalled.yield() }

    /// The days that have not been taken yet.
    package var all: Set<Day> { days.withLock(\.self) }

    /// Returns the days that have changed since the last call.
    package func take() -> Set<Day> {
        days.withLock { days in
            defer { days = [] }
            return days
        }
    }
}
