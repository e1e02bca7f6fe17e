internal import Apod
internal import Catalog
internal import Concurrency
package import Files

extension Archive {
    /// Deletes the files of former versions, unless their day has become a favorite or was reverted meanwhile. Returns
    /// the versions whose files were deleted; not all of them if it was cancelled.
    package func remove(
        _ versions: [ReplacedFiles.Version], unless isWanted: @escaping Pruning.Wanting
    ) async throws(StorageError) -> [ReplacedFiles.Version] {
        if versions.isEmpty { return [] }
        var removed: [ReplacedFiles.Version] = []
        for version in versions {
            let day = version.name.day
            do { try await dayLocks.lock(day) } catch { break }
            defer { dayLocks.unlock(day) }
            let isRemoved = try await blocking { [self] () throws(StorageError) -> Bool in
                let replaced = tree.replaced
                guard !isWanted(tree.subject(version.name)), try replaced.has(version) else { return false }
                return try replaced.prune(version, staging: tree.unfinished, read: rebuild.read)
            }
            if isRemoved { removed.append(version) }
        }
        await blocking { [self] in countReplaced() }
        // The gallery tells what is kept.
        noteChanges(of: removed.map(\.name.day))
        return removed
    }
}
