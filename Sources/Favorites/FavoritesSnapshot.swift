package import Apod
package import Archive
package import Catalog
package import Files

/// What is in the favorites folder at this moment, whether the history has it yet or not. It records nothing, so it is
/// also for those who may only read, and where the disk is full.
package struct FavoritesSnapshot {
    /// The days with links or copies.
    package private(set) var days: Set<Day> = []
    /// The symbolic links to each day.
    private(set) var links: [Day: [Place]] = [:]

    /// Throws if the folder cannot be read as far as it is there. Cancelled, it is incomplete.
    package init(at root: Folder, _ favorites: FavoritesLog, _ catalog: Catalog) throws(StorageError) {
        let resolver = LinkResolver(root: root, catalog: catalog, favorites: favorites)
        try resolver.lookEverywhere { sighting, folder in
            if sighting.finding == .copy {
                let known = favorites.links(at: sighting.place).first { !$0.isLink }
                if let day = known?.link.day ?? Self.day(ofCopy: sighting.place.name, in: folder, resolver) {
                    days.insert(day)
                }
            } else if let day = sighting.day {
                days.insert(day)
                if sighting.isLink { links[day, default: []].append(sighting.place) }
            }
        }
    }

    private static func day(ofCopy name: Name, in folder: Folder, _ resolver: LinkResolver) -> Day? {
        guard let file = try? folder.file(name) else { return nil }
        return (try? resolver.original(of: file, named: name))?.original.day
    }
}
