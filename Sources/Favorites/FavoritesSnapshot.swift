package import Apod
package import Archive
package import Catalog
package import Files

/// A scan of the favorites folder that records nothing: the days with links or copies there at this moment.
package struct FavoritesSnapshot {
    package let days: Set<Day>

    package init(at root: Folder, _ favorites: FavoritesLog, _ catalog: Catalog) {
        let resolver = LinkResolver(root: root, catalog: catalog, favorites: favorites)
        var scan = FolderScan(FavoritesState(), favorites, at: .init(instant: .now, seconds: 0))
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
