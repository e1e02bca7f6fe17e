package import Apod
import Files
import Synchronization

/// The days, and items of other lists, that changed in any way, collected for one listener.
package final class ChangedDays: Sendable {
    private let bell = Doorbell()
    private let days = Mutex<Set<Day>>([])

    package init() {}

    /// Returns when something has changed that was not taken yet; throws when the task is cancelled.
    package func changed() async throws(CancellationError) { try await bell.rung() }

    package func add(_ new: some Sequence<Day>) {
        let new = Array(new)
        if !new.isEmpty { signal(new) }
    }

    /// Wakes the listener, also where no day has changed.
    package func signal(_ new: [Day] = []) {
        days.withLock { $0.formUnion(new) }
        bell.ring()
    }

    /// The days that have not been taken yet.
    package var all: Set<Day> { days.withLock(\.self) }

    /// Returns the days that have changed since the last call.
    @discardableResult
    package func take() -> Set<Day> {
        bell.silence()
        return days.withLock { days in
            defer { days = [] }
            return days
        }
    }
}
