package import Apod
import Files
import Synchronization

/// The keys of what changed in any way, collected for one listener.
package final class ChangedKeys: Sendable {
    private let bell = Doorbell()
    private let keys = Mutex<Set<Key>>([])

    package init() {}

    /// Returns when something has changed that was not taken yet; throws when the task is cancelled.
    package func changed() async throws(CancellationError) { try await bell.rung() }

    package func add(_ new: some Sequence<Key>) {
        let new = Array(new)
        if !new.isEmpty { signal(new) }
    }

    /// Wakes the listener, also where nothing has changed.
    package func signal(_ new: [Key] = []) {
        keys.withLock { $0.formUnion(new) }
        bell.ring()
    }

    /// Those that have not been taken yet.
    package var all: Set<Key> { keys.withLock(\.self) }

    /// Returns those that have changed since the last call.
    @discardableResult
    package func take() -> Set<Key> {
        bell.silence()
        return keys.withLock { keys in
            defer { keys = [] }
            return keys
        }
    }
}
