package import Catalog
package import Files

extension Tree {
    /// Below the root, where something that is not the mirror's stands in the place of a file or link of its own, and what
    /// nobody can change, so that it is not kept up to date.
    package static func obstacles(
        in root: Folder, by catalog: Catalog, hidesJSON: Bool
    ) throws(StorageError) -> (occupied: [String], immutable: [String]) {
        let months = hidesJSON ? try catalog.extent() : nil
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        let hidden = months.map { HiddenFile.obstacles(in: root, $0) } ?? (occupied: [], immutable: [])
        return (links + hidden.occupied, hidden.immutable)
    }
}
