internal import CSQLite
internal import Files
import Glibc

extension CatalogFiles {
    /// Before SQLite opens them.
    static func prepare(_ path: String, toWrite isToWrite: Bool) throws(StorageError) {
        try opening(path) { files throws(StorageError) in
            if isToWrite {
                try files.makeCatalog()
                try files.closeMemory()
            }
            try files.makeMemory()
        }
    }

    static func openToReaders(_ path: String) throws(StorageError) {
        try opening(path) { files throws(StorageError) in try files.openToReaders() }
    }

    private static func opening(
        _ path: String, _ work: (CatalogFiles) throws(StorageError) -> Void
    ) throws(StorageError) {
        do throws(StorageError) {
            try work(CatalogFiles(path))
        } catch {
            let code = error.isFull ? SQLITE_FULL : SQLITE_CANTOPEN
            let words = error.isFull ? String(cString: sqlite3_errstr(code)) : error.description
            throw StorageError(sqlite: code, words: words, path: path)
        }
    }
}
