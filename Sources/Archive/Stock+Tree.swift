package import Apod
package import Files

extension Stock {
    /// What there is in a mirror, or only so far as a day is concerned that all to be let go of are before.
    package init(in root: Folder, _ catalog: Catalog, before limit: Day? = nil, at now: Int) throws(ArchiveError) {
        let latest = try Tree.newestImage(in: root, by: catalog)?.entry.name.day
        self = try ArchiveError.wrapping { () throws(CatalogError) in
            Stock(holdings: try catalog.holdings(before: limit, at: now), bytes: try catalog.bytes(), latest: latest)
        }
    }
}
