internal import Catalog
internal import Files
import Glibc

/// Where the catalog is: in the root, unless the person keeps it elsewhere.
struct StateFolder {
    let path: String

    init(root: String, state: String?) { path = state ?? "\(root)/\(Tree.ownFolder)" }

    var catalog: String { "\(path)/catalog.sqlite" }

    func make() throws(ArchiveError) {
        _ = try ArchiveError.wrapping(step: try Folder.make(path))
        // SQLite's log needs memory that all its readers share, which these do not give (sqlite.org/wal.html).
        if let kind = FileSystem.networkKind(of: path) { throw .networkDisk(path: path, kind: kind) }
    }

    /// Keeps a catalog that is not used any more, with its log, for whoever wants to look at it.
    func setCatalogAside() throws(StorageError) {
        for suffix in ["", "-wal", "-shm"] {
            guard Glibc.rename(catalog + suffix, "\(catalog).aside\(suffix)") == 0 || errno == ENOENT else {
                throw StorageError("move away", catalog + suffix)
            }
        }
        // It would be said of the next one.
        try trustCatalog()
        try Folder.open(path).sync()
    }

    func trustCatalog() throws(StorageError) {
        let mark = DamageMark.path(beside: catalog)
        guard unlink(mark) == 0 || errno == ENOENT else { throw StorageError("remove", mark) }
    }

    /// Somebody has met damage in the catalog.
    var catalogIsSuspect: Bool { DamageMark.isSet(beside: catalog) }
}
