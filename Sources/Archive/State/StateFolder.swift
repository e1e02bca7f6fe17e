internal import Catalog
internal import Files
import Glibc

/// The folder of the catalog: `.apod-mirror` in the root, unless the setting `state` names another.
struct StateFolder {
    let path: String

    init(root: String, state: String?) { path = state ?? "\(root)/\(Tree.ownFolder)" }

    var catalog: String { "\(path)/catalog.sqlite" }

    func make() throws(ArchiveError) {
        _ = try ArchiveError.wrapping(step: try Folder.make(path))
        // SQLite's log needs shared memory, which network disks do not give (sqlite.org/wal.html).
        if let kind = FileSystem.networkKind(of: path) { throw .networkDisk(path: path, kind: kind) }
    }

    /// Renames an unusable catalog and its log, so that a person can examine them.
    func setCatalogAside() throws(StorageError) {
        for suffix in ["", "-wal", "-shm"] {
            guard Glibc.rename(catalog + suffix, "\(catalog).aside\(suffix)") == 0 || errno == ENOENT else {
                throw StorageError("move away", catalog + suffix)
            }
        }
        // The mark would otherwise apply to the next catalog.
        let mark = DamageMark.path(beside: catalog)
        guard unlink(mark) == 0 || errno == ENOENT else { throw StorageError("remove", mark) }
        try Folder.open(path).sync()
    }

    /// Whether damage was found in the catalog.
    var catalogIsSuspect: Bool { DamageMark.isSet(beside: catalog) }
}
