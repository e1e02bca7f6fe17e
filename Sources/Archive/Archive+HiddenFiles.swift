internal import Apod
internal import Catalog
internal import Concurrency
internal import Files
import Synchronization

extension Archive {
    /// Brings the `.hidden` of all months up to date, once after the setting has changed.
    package func hideJSON() async throws(ArchiveError) {
        try await blocking { [self] () throws(ArchiveError) in
            let setting = tree.hidesJSON ? 1 : 0
            let isDone = try ArchiveError.wrapping { () throws(CatalogError) in
                try catalog.fact(.hidesJSON) == setting
            }
            if isDone { return }
            let months = try ArchiveError.wrapping { () throws(DiskError) in try Tree.months(in: tree.root) }
            // Those that may not be looked into are not among them.
            let known = try ArchiveError.wrapping { () throws(CatalogError) in
                Set(try catalog.storedDays().map(\.day.folder))
            }
            var isComplete = known.isSubset(of: months.map(\.path))
            for (path, month) in months {
                do throws(DiskError) {
                    try filesLock.withLock { _ throws(DiskError) in
                        try tree.updateHiddenFile(in: month, path)
                        try month.sync()
                    }
                } catch { isComplete = false }
            }
            guard isComplete else { return }
            try ArchiveError.wrapping { () throws(CatalogError) in try catalog.setFact(.hidesJSON, setting) }
        }
    }
}
