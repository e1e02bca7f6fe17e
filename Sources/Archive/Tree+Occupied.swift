package import Catalog
package import Files

extension Tree {
    /// Paths, below the root, of things in the place of the mirror's links and `.hidden` files.
    package static func occupied(in root: Folder, by catalog: Catalog) throws(StorageError) -> [String] {
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        return links + HiddenFile.occupied(in: root, try catalog.extent())
    }
}
