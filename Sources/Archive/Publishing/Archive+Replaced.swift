package import Apod
internal import Catalog
internal import Concurrency
package import Files

/// The former versions that `max-total` deletes first.
extension ReplacedFiles {
    /// Returns the versions from before `moment` to delete, oldest first, until no more than `limit` bytes are left.
    package func surplus(
        of total: Int, atMost limit: Int, before moment: Int, sparing isWanted: (Day) throws(StorageError) -> Bool
    ) throws(StorageError) -> [Version] {
        if total <= limit { return [] }
        var (surplus, left): ([Version], Int) = ([], total)
        let old = try versions().values.joined().filter { $0.moment < moment }
        for version in old.sorted(by: { $0.moment < $1.moment }) where left > limit {
            if try isWanted(version.name.day) { continue }
            guard try isOfCorrection(version) else { continue }
            surplus.append(version)
            left -= version.bytes
        }
        return surplus
    }
}

extension Archive {
    /// Deletes versions, unless their day has become a favorite or was reverted meanwhile. Returns those deleted; not
    /// all of them if it was cancelled.
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
                let replaced = ReplacedFiles(in: tree.own)
                guard !isWanted(day), try replaced.has(version) else { return false }
                try replaced.remove([version])
                return true
            }
            if isRemoved { removed.append(version) }
        }
        await blocking { [self] in countReplaced() }
        // The gallery tells what is kept.
        noteChanges(of: removed.map(\.name.day))
        return removed
    }
}
