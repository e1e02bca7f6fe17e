internal import Apod
package import Catalog
package import Files

extension Tree {
    /// Paths below the root: things in the place of the mirror's links and `.hidden` files, and immutable files and
    /// folders, which the mirror cannot keep up to date.
    package static func obstacles(
        in root: Folder, by catalog: Catalog
    ) throws(StorageError) -> (occupied: [String], immutable: [String]) {
        let months = try catalog.extent()
        let links = (try? LatestLinks(in: root, by: catalog).occupied()) ?? []
        let hidden = months.map { HiddenFile.obstacles(in: root, $0) } ?? (occupied: [], immutable: [])
        return (links + hidden.occupied, hidden.immutable + fixedFolders(in: root, months))
    }

    /// The mirror's own folders that are immutable or append-only (chattr(1)); the root is `.`. Nothing is listed or
    /// opened: there are hundreds of months.
    private static func fixedFolders(in root: Folder, _ days: ClosedRange<Day>?) -> [String] {
        func fixed(_ path: String, _ inner: [String] = []) -> [String] {
            guard let facts = try? root.known(path), facts.kind == .folder else { return [] }
            let others = inner.flatMap { fixed("\(path)/\($0)") }
            return (facts.isImmutable ? [path] : []) + others
        }
        let months = days.map(Day.folders(of:)) ?? []
        let years = Set(months.map { String($0.prefix(4)) }).sorted()
        let shared = months + [favorites]
        return fixed(".") + fixed(ownFolder, ["unfinished"]) + fixed(GalleryFolder.name, ["data"] + years)
            + shared.flatMap { fixed("\($0)/\(sharedThumbnails)", SharedThumbnail.sizes) }
    }
}
