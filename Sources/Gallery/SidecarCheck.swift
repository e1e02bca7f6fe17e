internal import Apod
package import Archive
package import Catalog
package import Files

/// Compares the sidecars with what they should be, for `verify`.
package struct SidecarCheck: Sendable {
    private let root: Folder
    private let catalog: Catalog

    package init(root: String, catalog: Catalog) throws(StorageError) {
        self.root = try Folder.open(root)
        self.catalog = catalog
    }

    /// Reports each sidecar, and those that are missing or differ. A difference is looked at once more after `pause`:
    /// the service writes sidecars some seconds after what they show.
    package func run(
        pause: () async -> Void, _ report: (Verification.Event) -> Void
    ) async throws(StorageError) {
        var doubts = try differences(report)
        if doubts.isEmpty { return }
        await pause()
        let paths = Set(doubts.map(\.path))
        doubts = try differences { _ in }
        for doubt in doubts where paths.contains(doubt.path) {
            report(.found(.sidecar(doubt.day, path: doubt.path, isMissing: doubt.isMissing)))
        }
    }

    private func differences(
        _ report: (Verification.Event) -> Void
    ) throws(StorageError) -> [(day: Day, path: String, isMissing: Bool)] {
        let favorites = try catalog.favoriteDays()
        // Otherwise an update of all is due, or under way.
        guard try catalog.fact(.sidecars) == Sidecars.edition(favorites) else { return [] }
        var found: [(Day, String, Bool)] = []
        for (path, folder) in try Tree.months(in: root) {
            let month = SidecarMonth(path: path, folder: folder, days: nil, favorites: favorites)
            let wanted = try month.sidecars(among: Set(try folder.names()), areWanted: true).wanted
            report(.planned(files: wanted.count))
            for (name, bytes) in wanted.sorted(by: { $0.key.file < $1.key.file }) {
                report(.checked(bytes: bytes.count))
                let isMissing = try folder.facts(of: "\(name)") == nil
                if !isMissing, try GeneratedFile.isSame(bytes, "\(name)", in: folder) { continue }
                found.append((name.day, "\(path)/\(name)", isMissing))
            }
        }
        return found
    }
}
