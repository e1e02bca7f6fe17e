package import Apod
package import Archive
package import Catalog
package import Files

/// What is in the favorites folder at this moment, whether the history has it yet or not. It records nothing, so it is
/// also for those who may only read, and where the disk is full.
package struct FavoritesSnapshot {
    /// The days and items with links or copies.
    package private(set) var subjects: Set<Subject> = []
    /// The symbolic links to each of them.
    private(set) var links: [Subject: [Place]] = [:]

    /// Throws if the folder cannot be read as far as it is there. Cancelled, it is incomplete.
    package init(at root: Folder, _ favorites: FavoritesLog, _ catalog: Catalog) throws(StorageError) {
        let resolver = LinkResolver(root: root, catalog: catalog, favorites: favorites)
        try resolver.lookEverywhere { (sighting, folder) throws(StorageError) in
            if sighting.finding == .copy {
                let known = favorites.links(at: sighting.place).first { !$0.isLink }
                let original =
                    if let known { known.link.subject } else {
                        try Self.original(ofCopy: sighting.place.name, in: folder, resolver)
                    }
                if let original { subjects.insert(original) }
            } else if let subject = sighting.subject {
                subjects.insert(subject)
                if sighting.isLink { links[subject, default: []].append(sighting.place) }
            }
        }
    }

    private static func original(ofCopy name: Name, in folder: Folder, _ resolver: LinkResolver)
        throws(StorageError) -> Subject?
    {
        try folder.file(name).flatMap { file throws(StorageError) in
            try resolver.original(of: file, named: name)?.original.subject
        }
    }
}
