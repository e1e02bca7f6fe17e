internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

extension Reconciler {
    func trySyncingAgain() throws(StorageError) {
        if !state.withLock(\.unsynced.failures.isEmpty) { try note(.everywhere) }
    }

    /// Why something was left out, with the name of its folder.
    var syncFailure: StorageError? {
        let failures = state.withLock(\.unsynced.failures)
        return failures.values.min { $0.path < $1.path }
    }
}
