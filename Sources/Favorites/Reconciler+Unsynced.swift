internal import Apod
internal import Archive
internal import Catalog
internal import Files
import Synchronization
internal import Watching

/// What could not be brought to the disk does not come into the catalog. It holds up nothing else, and is tried again.
struct Unsynced {
    var failures: [Album: DiskError] = [:]
    /// What was left out stands for these. Their other links may have been moved there: none of them is removed.
    var days: Set<Day> = []

    mutating func add(_ other: Unsynced) {
        failures.merge(other.failures) { _, new in new }
        days.formUnion(other.days)
    }
}

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

    /// Sees what was left out, too.
    func scanAgain() throws(ArchiveError) {
        let before = state.withLock { state in
            defer { state.unsynced = Unsynced() }
            return state.unsynced
        }
        do throws(ArchiveError) {
            try scan()
        } catch {
            state.withLock { $0.unsynced.add(before) }
            throw error
        }
    }

    func trySyncingAgain() throws(ArchiveError) {
        if !state.withLock(\.unsynced.failures.isEmpty) { try note(.everywhere) }
    }

    /// Why something was left out, with the name of its folder.
    var syncFailure: ArchiveError? {
        let failures = state.withLock(\.unsynced.failures)
        return failures.values.min { $0.path < $1.path }.map(ArchiveError.disk)
    }
}
