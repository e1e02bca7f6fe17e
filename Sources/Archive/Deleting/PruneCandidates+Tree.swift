package import Apod
package import Catalog
package import Files

extension PruneCandidates {
    /// What there is in a mirror, or only so far as a day is concerned that all to be deleted are before.
    /// `bytes`: of all that counts; nil for what the catalog says.
    package init(
        in root: Folder, _ catalog: Catalog, before limit: Day? = nil, bytes: Int? = nil, at now: Int
    ) throws(StorageError) {
        let all = if let bytes { bytes } else { try catalog.bytes() }
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.day
        self = PruneCandidates(
            candidates: try catalog.pruneCandidates(before: limit, at: now), bytes: all, latest: latest)
    }
}
