package import Apod
import Files
import Glibc

/// What a process finds of a mirror that it has not open for writing.
extension Archive {
    /// Returns the catalog for reading; nil if there is none. Where it cannot be read, one is made from the tree.
    package static func catalogToRead(root: String, state: String? = nil) throws -> Catalog? {
        let path = StateFolder(root: root, state: state).catalog
        guard access(path, F_OK) == 0 else {
            try checkVisible(root: root, state: state)
            return nil
        }
        try checkOwner(root: root, state: state)
        return try mayRead(path) ? Catalog(toRead: path) : catalogOfTree(root: root, state: state)
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
    package static func catalogOfTree(root: String, state: String?) throws -> Catalog? {
        guard access(root, F_OK) == 0 else { return nil }
        let catalog = try Catalog(insteadOf: StateFolder(root: root, state: state).catalog)
        let folder = try Folder.open(root)
        let own = (try? folder.folder(Tree.ownFolder)) ?? nil
        _ = try CatalogRebuild(folder, own: own) { _, _ in nil }.enter(into: catalog)
        return catalog
    }

    /// The other lists of which something is here, by name. Whoever deletes the folder of one is rid of it.
    package static func lists(root: String) -> [ListName] { (try? Folder.open(root)).map(Tree.lists) ?? [] }

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
    package static func checkVisible(root: String, state: String?) throws {
        let places = [Tree.ownPath(in: root), StateFolder(root: root, state: state).catalog]
        let closed = places.firstValue { FileSystem.closedFolder(onWayTo: $0) }
        if let closed { throw Problem(.hidden, path: closed) }
    }
}
