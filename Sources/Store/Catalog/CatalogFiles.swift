import Apod
import CSQLite
import Files
import Glibc

/// The files of a catalog: database, log and shared memory. Their owner writes, their group reads, nobody else may open
/// them: whoever can read the shared memory can hold read locks and so stop writers.
///
/// SQLite gives the log and the shared memory the database's mode (sqlite.org/wal.html). They stay when the last
/// connection closes: a reader could not make them.
package enum CatalogFiles {
    private static let mode: UInt32 = 0o640
    private static let suffixes = ["", "-wal", "-shm"]

    /// Makes the database file and sets the modes. Throws if a file cannot be written: SQLite would open it for
    /// reading, and refuse each change until it is opened again.
    static func prepare(_ path: String) throws {
        let (place, name) = FileSystem.parts(of: path) ?? (".", path)
        do {
            let folder = try Folder.open(place)
            if try folder.facts(of: name) == nil { _ = try folder.makePrivateFile(name) }
            for name in suffixes.map({ name + $0 }) where try folder.facts(of: name)?.permissions != mode {
                try folder.setMode(of: name, mode)
            }
        } catch {
            let code = error.problem.isFull ? SQLITE_FULL : SQLITE_CANTOPEN
            let words = error.problem.isFull ? String(cString: sqlite3_errstr(code)) : error.problem.description
            throw Problem(sqlite: code, words: words, path: path)
        }
        for path in [path, "\(path)-wal"] where access(path, W_OK) != 0 && errno != ENOENT {
            throw Problem("write", path)
        }
    }

    /// Whether this process can read the database, and can read, make or do without the shared memory.
    static func canBeRead(_ path: String) -> Bool {
        guard access(path, R_OK) == 0 else { return false }
        return access("\(path)-shm", R_OK) == 0 || access(folder(of: path), W_OK) == 0 || areImmutable(path)
    }

    private static func folder(of path: String) -> String { FileSystem.parent(of: path) ?? "." }

    /// Whether SQLite can do without other files: the log is empty, and there is no shared memory or the disk is
    /// read-only.
    static func areImmutable(_ path: String) -> Bool {
        let isReadOnly = access(folder(of: path), W_OK) != 0 && errno == EROFS
        guard isReadOnly || access("\(path)-shm", F_OK) != 0 else { return false }
        var log = stat()
        return stat("\(path)-wal", &log) != 0 ? errno == ENOENT : log.st_size == 0
    }
}

/// A file beside a catalog in which damage was found: the next writer sets the catalog aside and makes a new one.
package enum DamageMark {
    package static func path(beside catalog: String) -> String { catalog + ".suspect" }

    static func isSet(beside catalog: String) -> Bool { access(path(beside: catalog), F_OK) == 0 }

    static func set(beside catalog: String) {
        close(open(path(beside: catalog), O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
    }
}
