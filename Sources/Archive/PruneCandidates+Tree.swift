package import Apod
package import Catalog
package import Files

extension PruneCandidates {
    /// What there is in a mirror, or only so far as a day is concerned that all to be deleted are before.
    package init(in root: Folder, _ catalog: Catalog, before limit: Day? = nil, at now: Int) throws(StorageError) {
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.day
        self = PruneCandidates(
            candidates: try catalog.pruneCandidates(before: limit, at: now), bytes: try catalog.bytes(),
            latest: latest)
    }
}
