package import Files
import Glibc

/// The files that a catalog is made of, and who may open them: others may read the catalog and its log, as far as they
/// may look into the folder. The memory that the log's users share (sqlite.org/wal.html) is the owner's alone: who can
/// open it can lock it, and so stop all writers.
package struct CatalogFiles {
    let folder: Folder
    let name: String

    static let closed: UInt32 = 0o600

    package init(_ path: String) throws(StorageError) {
        let (folder, name) = Self.parts(of: path)
        self.folder = try Folder.open(folder)
        self.name = name
    }

    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    private var log: String { "\(name)-wal" }
    var memory: String { "\(name)-shm" }

    /// Whether whoever asks may use the memory, or make it.
    package static func areShared(_ path: String) -> Bool {
        if access("\(path)-shm", R_OK | W_OK) == 0 { return true }
        return errno == ENOENT && access(parts(of: path).folder, W_OK) == 0
    }

    /// Whether its log and the memory are there: otherwise whoever opens it makes them.
    package static func areComplete(_ path: String) -> Bool {
        ["-wal", "-shm"].allSatisfy { access(path + $0, F_OK) == 0 }
    }

    package static func arePublic(_ path: String) -> Bool {
        (try? CatalogFiles(path)).flatMap { try? $0.folder.facts(of: $0.name) }.map { $0.permissions & 0o004 != 0 }
            ?? false
    }

    /// Throws if a catalog that is there cannot be changed. SQLite would read in it, and refuse each change until it is
    /// opened again.
    static func checkWritable(_ path: String) throws(StorageError) {
        for path in [path, "\(path)-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            throw StorageError("write", path)
        }
    }

    /// A new catalog is closed until it has its log: who could lock it before could keep it from that.
    func makeCatalog() throws(StorageError) {
        if try folder.facts(of: name) == nil { _ = try folder.makeLock(name) }
    }

    /// When it has its log, everybody may read both who may look into the folder.
    func openToReaders() throws(StorageError) {
        let mode = Self.closed | (try folder.facts().permissions & 0o044)
        for name in [name, log] where try folder.facts(of: name) != nil { try folder.setMode(of: name, mode) }
    }
}
