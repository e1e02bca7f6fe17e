internal import Catalog
internal import Concurrency
package import Files
import Synchronization

extension Archive {
    /// Makes the `.hidden` of months where there is none.
    package func hideJSON() async throws(StorageError) {
        try await blocking { [self] () throws(StorageError) in
            guard let extent = try catalog.extent(), HiddenFile.isMissing(in: tree.root, extent) else { return }
            for (path, month) in try Tree.months(in: tree.root)
            where (try? month.facts(of: HiddenFile.name)) == nil {
                filesLock.withLock { _ in tree.hideJSON(in: month, path) }
                try? month.sync()
            }
        }
    }
}
