package import Catalog
package import Files

extension Tree {
    /// Paths, below the root, of things in the place of the mirror's links and `.hidden` files.
    package static func occupied(in root: Folder, by catalog: Catalog) throws(StorageError) -> [String] {
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        let hidden = try catalog.extent().map { HiddenFile.occupied(in: root, $0) } ?? []
        return links + hidden
    }
}
