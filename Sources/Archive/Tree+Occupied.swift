package import Catalog
package import Files

extension Tree {
    /// Names of things in the root that are in the place of the mirror's links and its `.hidden`.
    package static func occupied(in root: Folder, by catalog: Catalog) -> [String] {
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        return HiddenFile.isForeign(in: root) ? links + [HiddenFile.name] : links
    }
}
