package import Apod
package import Catalog
internal import Concurrency
internal import Files

/// A day that was read back from its JSON.
package struct KeptDay: Sendable {
    package let picture: Picture
    package let downgraded: Bool
    package let incomplete: Incomplete?
    package let setAside: Set<Digest>
    /// The whole contents, for writing the same JSON again.
    package let metadata: Metadata

    package init(_ metadata: Metadata) {
        picture = metadata.picture
        downgraded = metadata.downgraded
        incomplete = metadata.incomplete
        setAside = metadata.setAside
        self.metadata = metadata
    }
}

extension Archive {
    /// `day` is nil if the JSON is not valid. `isWhole`: its SHA-256 is the catalog's.
    package func kept(_ stored: StoredDay) async throws(ArchiveError) -> (day: KeptDay?, isWhole: Bool) {
        try await blocking { [tree, read] () throws(ArchiveError) in
            try tree.wrapping(month: stored.name.folder) { () throws(StorageError) in
                guard let (kept, picture) = try CatalogRebuild(tree, read: read).kept(stored.name) else {
                    return (nil, false)
                }
                return (KeptDay(Metadata(stored.name, picture, kept)), Digest(of: kept.document) == stored.json)
            }
        }
    }
}

extension Metadata {
    init(_ name: FileName, _ picture: Picture, _ kept: StoredMetadata) {
        self.init(
            name: name, picture: picture, files: kept.files, downgraded: kept.downgraded, fetched: kept.fetched,
            isPruned: kept.isPruned, incomplete: kept.incomplete, setAside: kept.setAside)
    }
}
