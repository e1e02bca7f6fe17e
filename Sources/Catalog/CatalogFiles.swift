internal import CSQLite
internal import Files
import Glibc

/// The files that a catalog is made of. Their owner writes, their group reads, nobody else may open them. SQLite gives
/// the log and the memory that its users share the catalog's own mode (sqlite.org/wal.html), and they stay when the last
/// connection is closed: who may only read could not make them.
///
/// Who can read the memory can hold read locks in it and so stop writers: the group can, others cannot.
package enum CatalogFiles {
    private static let mode: UInt32 = 0o640
    private static let suffixes = ["", "-wal", "-shm"]

    package static func parts(of path: String) -> (folder: String, name: String) {
        guard let slash = path.lastIndex(of: "/") else { return (".", path) }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Before SQLite opens them to write. Throws if a catalog that is there cannot be changed: SQLite would read in it, and
    /// refuse each change until it is opened again.
    static func prepare(_ path: String) throws(StorageError) {
        let (place, name) = parts(of: path)
        do throws(StorageError) {
            let folder = try Folder.open(place)
            if try folder.facts(of: name) == nil { _ = try folder.makeLock(name) }
            for name in suffixes.map({ name + $0 }) where try folder.facts(of: name)?.permissions != mode {
                try folder.setMode(of: name, mode)
            }
        } catch {
            let code = error.isFull ? SQLITE_FULL : SQLITE_CANTOPEN
            let words = error.isFull ? String(cString: sqlite3_errstr(code)) : error.description
            throw StorageError(sqlite: code, words: words, path: path)
        }
        for path in [path, "\(path)-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            throw StorageError("write", path)
        }
    }

    /// Whether whoever asks can read them: also the memory, or make it, or do without it.
    package static func canBeRead(_ path: String) -> Bool {
        guard access(path, R_OK) == 0 else { return false }
        return access("\(path)-shm", R_OK) == 0 || access(parts(of: path).folder, W_OK) == 0 || areImmutable(path)
    }

    /// Whether nothing is left in the log and nobody writes: where there is no shared memory, or the disk is for reading
    /// only. SQLite makes no files for that.
    static func areImmutable(_ path: String) -> Bool {
        let isReadOnly = access(parts(of: path).folder, W_OK) != 0 && errno == EROFS
        guard isReadOnly || access("\(path)-shm", F_OK) != 0 else { return false }
        var log = stat()
        return stat("\(path)-wal", &log) != 0 ? errno == ENOENT : log.st_size == 0
    }
}
