package import Apod
package import Catalog
package import Files

extension PruneCandidates {
    /// Lists the days of a mirror, or only those before `limit`. `bytes`: the mirror's size; nil for the catalog's.
    package init(
        in root: Folder, _ catalog: Catalog, before limit: Day? = nil, bytes: Int? = nil, at now: Int
    ) throws(StorageError) {
        let all = if let bytes { bytes } else { try catalog.bytes() }
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.day
        self = PruneCandidates(
            candidates: try catalog.pruneCandidates(before: limit, at: now), bytes: all, latest: latest)
    }
}
