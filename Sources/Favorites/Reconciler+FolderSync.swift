internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

extension Reconciler {
    /// What was seen is on the disk before it comes into the catalog. Where that cannot be, it is left out. What is gone
    /// is not: if a power cut brings it back, it is a favorite again.
    func sync(_ change: inout FolderChange) {
        if change.isEmpty { return }
        let failures = folders.sync(change.albums, with: change.recognisedFiles)
        if failures.isEmpty { return }
        let days = change.leaveOut(failures.keys)
        state.withLock { $0.unsynced.add(Unsynced(failures: failures, days: days)) }
    }

    func trySyncingAgain() throws(StorageError) {
        if !state.withLock(\.unsynced.failures.isEmpty) { try note(.everywhere) }
    }

    /// Why something was left out, with the name of its folder.
    var syncFailure: StorageError? {
        let failures = state.withLock(\.unsynced.failures)
        return failures.values.min { $0.path < $1.path }
    }
}
