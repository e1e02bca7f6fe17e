package import Apod
import Synchronization

/// The days that have become others in any way, for one who wants to know of them.
package final class ChangedDays: Sendable {
    /// One for any number of days, and whenever somebody signals.
    package let signals: AsyncStream<Void>
    private let signalled: AsyncStream<Void>.Continuation
    private let days = Mutex<Set<Day>>([])

    package init() { (signals, signalled) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

    package func add(_ new: some Sequence<Day>) {
        days.withLock { $0.formUnion(new) }
        signalled.yield()
    }

    /// Wakes whoever waits, though no day has changed.
    package func signal() { signalled.yield() }

    /// Those that have not been taken yet.
    package var all: Set<Day> { days.withLock(\.self) }

    /// Those since this was last asked.
    package func take() -> Set<Day> {
        days.withLock { days in
            defer { days = [] }
            return days
        }
    }
}
