package import Apod
package import Catalog
package import Files
import Glibc
internal import Watching

/// A scan of the favorites folder that records nothing: the days with links or copies there at this moment.
package struct FavoritesSnapshot {
    package let days: Set<Day>
    /// The days whose known links are gone.
    private let gone: Set<Day>
    /// The scan was cut short, or the folder is not there.
    let isPartial: Bool

    /// `comparing`: reads files that may be copies of pictures. `isStopped`: cuts the scan short.
    package init(
        at root: Folder, _ catalog: Catalog, comparing: Bool = true,
        isStopped: @escaping @Sendable () -> Bool = { false }
    ) {
        let resolver = LinkResolver(root: root, catalog: catalog, isStopped: isStopped)
        var scan = FolderScan(FavoritesState(), catalog, at: .init(instant: .now, seconds: 0))
        guard (try? root.existingFavorites()) != nil, (try? scan.run(FolderListing(resolver))) != nil else {
            (days, gone, isPartial) = (scan.days, [], true)
            return
        }
        let copies = comparing ? scan.copies.compactMap { Self.day(ofCopy: $0, resolver) } : []
        days = scan.days.union(copies)
        // Without a link whose place has a possible copy: `FavoritesState` lets it stay.
        gone = Set(scan.state.going.keys.map(\.day)).subtracting(days)
        isPartial = isStopped()
    }

    private static func day(ofCopy place: Place, _ resolver: LinkResolver) -> Day? {
        guard let folder = try? resolver.root.favorites(place.album), let file = try? folder.file(place.name) else {
            return nil
        }
        return (try? resolver.original(of: file, named: place.name))?.day
    }

    /// Returns the days with links that the catalog does not know yet, and its favorites whose links are gone, as far
    /// as a scan of three seconds tells.
    package static func changes(
        at root: Folder, _ catalog: Catalog, comparing: Bool = false
    ) throws(StorageError) -> (new: Set<Day>, gone: Set<Day>) {
        let end = ContinuousClock.now + .seconds(3)
        let snapshot = FavoritesSnapshot(at: root, catalog, comparing: comparing, isStopped: { .now > end })
        let favorites = try catalog.favoriteDays()
        let gone = snapshot.isPartial ? [] : snapshot.gone.intersection(favorites)
        return (snapshot.days.subtracting(favorites), gone)
    }
}
