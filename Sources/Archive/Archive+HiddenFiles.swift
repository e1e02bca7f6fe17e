internal import Apod
internal import Catalog
internal import Concurrency
package import Files
import Synchronization

extension Archive {
    /// Brings the `.hidden` of all months up to date, once after the setting has changed; after that, those that
    /// somebody has deleted.
    package func hideJSON() async throws(StorageError) {
        try await blocking { [self] () throws(StorageError) in
            let setting = tree.hidesJSON ? 1 : 0
            let isDone = try catalog.fact(.hidesJSON) == setting
            if isDone {
                guard tree.hidesJSON, let extent = try catalog.extent(), HiddenFile.isMissing(in: tree.root, extent)
                else { return }
            }
            let months = try Tree.months(in: tree.root)
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
            // Those that may not be looked into are not among the months.
            guard Set(try catalog.storedDays().map(\.day.folder)).isSubset(of: months.map(\.path)) else { return }
            try catalog.setFact(.hidesJSON, setting)
        }
    }
}
