internal import CSQLite
internal import Files
import Glibc

extension CatalogFiles {
    /// Before SQLite opens them.
    static func prepare(_ path: String, toWrite isToWrite: Bool) throws(CatalogError) {
        try opening(path) { files throws(DiskError) in
            if isToWrite {
                try files.makeCatalog()
                try files.closeMemory()
            }
            try files.makeMemory()
        }
    }

    static func openToReaders(_ path: String) throws(CatalogError) {
        try opening(path) { files throws(DiskError) in try files.openToReaders() }
    }

    private static func opening(
        _ path: String, _ work: (CatalogFiles) throws(DiskError) -> Void
    ) throws(CatalogError) {
        do throws(DiskError) {
            try work(CatalogFiles(path))
        } catch {
            let code = error.isFull ? SQLITE_FULL : SQLITE_CANTOPEN
            let words = error.isFull ? String(cString: sqlite3_errstr(code)) : error.description
            throw CatalogError(code: code, words: words, path: path)
        }
    }
}
