internal import Apod
internal import Catalog
internal import Concurrency
internal import Files
import Synchronization

extension Archive {
    /// Brings the `.hidden` of all months up to date, once after the setting has changed; after that, those that
    /// somebody has deleted.
    package func hideJSON() async throws(ArchiveError) {
        try await blocking { [self] () throws(ArchiveError) in
            let setting = tree.hidesJSON ? 1 : 0
            let (isDone, extent) = try ArchiveError.wrapping { () throws(StorageError) in
                (try catalog.fact(.hidesJSON) == setting, try catalog.extent())
            }
            if isDone {
                guard tree.hidesJSON, let extent, HiddenFile.isMissing(in: tree.root, extent) else { return }
            }
            let months = try ArchiveError.wrapping { () throws(StorageError) in try Tree.months(in: tree.root) }
            var isComplete = true
            for (path, month) in months where !isDone || (try? month.facts(of: HiddenFile.name)) == nil {
                do throws(StorageError) {
                    try filesLock.withLock { _ throws(StorageError) in
                        try tree.updateHiddenFile(in: month, path)
                        try month.sync()
                    }
                } catch { isComplete = false }
            }
            if isDone || !isComplete { return }
            try ArchiveError.wrapping { () throws(StorageError) in
                // Those that may not be looked into are not among the months.
                guard Set(try catalog.storedDays().map(\.day.folder)).isSubset(of: months.map(\.path)) else { return }
                try catalog.setFact(.hidesJSON, setting)
            }
        }
    }
}
