package import Apod
package import Catalog
package import Files
import Glibc

/// What a process finds of a mirror that it has not open for writing.
extension Archive {
    /// Returns the catalog for reading; nil if there is none. Where it cannot be read, and where another list has none,
    /// one is made from the tree.
    package static func catalogToRead(
        root: String, state: String? = nil, list: ListName? = nil
    ) throws(ArchiveError) -> Catalog? {
        let path = StateFolder(root: root, state: state, list: list).catalog
        guard access(path, F_OK) == 0 else {
            try checkVisible(root: root, state: state)
            return list == nil
                ? nil : try ArchiveError.wrapping(step: try catalogOfTree(root: root, state: state, list: list))
        }
        try checkOwner(root: root, state: state)
        let lists = list == nil ? ListCatalogs(root: root, state: state) : .none
        return try ArchiveError.wrapping(
            step: try mayRead(path)
                ? Catalog(toRead: path, lists: lists) : catalogOfTree(root: root, state: state, list: list))
    }

    /// Whether this process can read the catalog: only its owner and group can, and not over a network.
    package static func mayReadCatalog(root: String, state: String? = nil) -> Bool {
        mayRead(StateFolder(root: root, state: state).catalog)
    }

    private static func mayRead(_ path: String) -> Bool {
        // SQLite's log needs shared memory, which two machines do not have (sqlite.org/wal.html).
        CatalogFiles.canBeRead(path) && FileSystem.networkKind(of: path) == nil
    }

    /// Returns a catalog in memory, made from the tree; nil if there is no root.
    package static func catalogOfTree(
        root: String, state: String?, list: ListName? = nil
    ) throws(StorageError) -> Catalog? {
        let path = StateFolder(root: root, state: state, list: list).catalog
        let place = Tree.path(of: list, below: root)
        guard access(place, F_OK) == 0 else { return nil }
        let folder = try Folder.open(place)
        let own = list == nil ? (try? folder.folder(Tree.ownFolder)) ?? nil : nil
        let lists = list == nil ? ListCatalogs(root: root, state: state) : .none
        let catalog = try Catalog(insteadOf: path, lists: lists)
        let mirror = (try? Folder.open(root).folder(Tree.ownFolder)) ?? nil
        let versions = mirror.map { Versions(own: $0, list: list) }
        _ = try CatalogRebuild(folder, own: own, versions: versions, list: list) { _, _ in nil }.enter(into: catalog)
        return catalog
    }

    /// The other lists of which something is here, by name. Whoever deletes the folder of one is rid of it.
    package static func lists(root: String) -> [ListName] {
        let names = [root, Tree.ownPath(in: root)].map { place in
            Set((try? Folder.open(place).folder(Tree.lists)?.names()) ?? [])
        }
        return names[0].intersection(names[1]).compactMap { ListName($0) }.sorted()
    }

    static func checkOwner(root: String, state: String?) throws(ArchiveError) {
        guard state != nil, let folder = try? Folder.open(root) else { return }
        try StateFolder(root: root, state: state).check(for: folder)
    }

    /// Whether a process has this mirror open for writing.
    package static func isInUse(root: String) -> Bool {
        guard let own = try? Folder.open(Tree.ownPath(in: root)) else { return false }
        return WriterLock.isHeld(in: own)
    }

    /// The path of the running writer's control socket; nil if there is none.
    package static func announcement(root: String) -> String? {
        (try? Folder.open(Tree.ownPath(in: root))).flatMap(WriterLock.announcement)
    }

    /// Whether there is a catalog, readable or not.
    package static func hasCatalog(root: String, state: String? = nil) -> Bool {
        access(StateFolder(root: root, state: state).catalog, F_OK) == 0
    }

    /// Throws if permissions hide whether there is a mirror.
    package static func checkVisible(root: String, state: String?) throws(ArchiveError) {
        let places = [Tree.ownPath(in: root), StateFolder(root: root, state: state).catalog]
        let closed = places.firstValue { FileSystem.closedFolder(onWayTo: $0) }
        if let closed { throw .hidden(by: closed) }
    }
}

extension ListCatalogs {
    convenience init(root: String, state: String?) {
        self.init(
            find: { Archive.lists(root: root) },
            open: { list in
                if let catalog = try? Archive.catalogToRead(root: root, state: state, list: list) { return catalog }
                // It is lost, or of another version, until the list's next round.
                return try? Archive.catalogOfTree(root: root, state: state, list: list)
            })
    }
}
