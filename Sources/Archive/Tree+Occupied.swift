package import Catalog
package import Files

extension Tree {
    /// Below the root, where something that is not the mirror's stands in the place of a file or link of its own.
    package static func occupied(
        in root: Folder, by catalog: Catalog, hidesJSON: Bool
    ) throws(ArchiveError) -> [String] {
        let links = try LatestLinks(in: root, by: catalog)
        let months = try ArchiveError.wrapping { () throws(CatalogError) in hidesJSON ? try catalog.extent() : nil }
        return try ArchiveError.wrapping { () throws(DiskError) in
            try links.occupied() + (months.map { HiddenFile.occupied(in: root, $0) } ?? [])
        }
    }

    /// Below the root, what nobody can change, so that it is not kept up to date.
    package static func immutable(in root: Folder, by catalog: Catalog) throws(CatalogError) -> [String] {
        try catalog.extent().map { HiddenFile.immutable(in: root, $0) } ?? []
    }
}
