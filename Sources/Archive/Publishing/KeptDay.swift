package import Apod
package import Catalog
internal import Concurrency
internal import Files

/// A day as its JSON tells of it.
package struct KeptDay: Sendable {
    package let picture: Picture
    package let downgraded: Bool
    package let incomplete: Incomplete?
    package let setAside: Set<Digest>
    /// To write the same again.
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
    /// nil where the JSON cannot be read. `isWhole`: it is as it was written.
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
