package import Apod
package import Catalog
package import Files
internal import Watching

/// A scan of the favorites folder that records nothing: the days with links or copies there at this moment.
package struct FavoritesSnapshot {
    package let days: Set<Day>

    /// `isStopped`: cuts the scan short.
    package init(at root: Folder, _ catalog: Catalog, isStopped: @escaping @Sendable () -> Bool = { false }) {
        let resolver = LinkResolver(root: root, catalog: catalog, isStopped: isStopped)
        var scan = FolderScan(FavoritesState(), catalog, at: .init(instant: .now, seconds: 0))
        // After an error, the days found so far count.
        try? scan.run(resolver)
        days = scan.days.union(scan.copies.compactMap { Self.day(ofCopy: $0, resolver) })
    }

    private static func day(ofCopy place: Place, _ resolver: LinkResolver) -> Day? {
        guard let folder = try? resolver.root.favorites(place.album), let file = try? folder.file(place.name) else {
            return nil
        }
        return (try? resolver.original(of: file, named: place.name))?.day
    }
}
