internal import CSQLite
package import Files

extension StorageError {
    /// An error of SQLite.
    init(sqlite code: Int32, words: String, path: String) {
        let trouble: CatalogTrouble? =
            switch code & 0xff {
            case SQLITE_FULL: .full
            case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
            default: nil
            }
        self.init(catalog: path, words, trouble)
    }

    package static func suspicion(of catalog: String) -> StorageError {
        StorageError(sqlite: SQLITE_CORRUPT, words: "somebody has met damage in it", path: catalog)
    }
}
