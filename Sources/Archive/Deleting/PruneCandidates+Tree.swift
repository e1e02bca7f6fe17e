package import Apod
package import Catalog
package import Files

extension PruneCandidates {
    /// Lists the days of a mirror, or only those before `limit`. `bytes`: the mirror's size.
    package init(
        in root: Folder, _ catalog: Catalog, before limit: Day?, bytes: Int, sparing favorites: Set<Day>
    ) throws(StorageError) {
        let latest = try Tree.newestImage(in: root, by: catalog)?.stored.name.day
        self = PruneCandidates(
            candidates: try catalog.pruneCandidates(before: limit, sparing: favorites), bytes: bytes, latest: latest)
    }
}
