package import Apod
package import Catalog
internal import Concurrency
internal import Files

extension Archive {
    /// Reads a day back from its JSON; `metadata` is nil if that is not valid. `isWhole`: its SHA-256 is the catalog's.
    /// `known`: what the upstream sends of the day now.
    package func kept(
        _ stored: StoredDay, knowing known: Picture
    ) async throws(ArchiveError) -> (metadata: Metadata?, isWhole: Bool) {
        try await blocking { [tree, rebuild] () throws(ArchiveError) in
            try tree.wrapping(month: stored.name.folder) { () throws(StorageError) in
                guard let (kept, picture) = try rebuild.kept(stored.name, knowing: known) else {
                    return (nil, false)
                }
                return (Metadata(kept, picture), Digest(of: kept.bytes) == stored.json)
            }
        }
    }
}

extension Metadata {
    init(_ kept: DayDocument, _ picture: Picture) {
        self.init(
            name: kept.name, picture: picture, files: kept.files, downgraded: kept.downgraded, fetched: kept.fetched,
            isPruned: kept.isPruned, incomplete: kept.incomplete, setAside: kept.setAside)
    }
}
