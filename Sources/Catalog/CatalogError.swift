internal import Apod
internal import CSQLite

/// SQLite's refusal.
package struct CatalogError: Error, Equatable, CustomStringConvertible {
    package let code: Int32
    package let words: String
    package let path: String

    package var isFull: Bool { code & 0xff == SQLITE_FULL }
    package var isDamaged: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xff) }

    package var description: String {
        let advice = "; the service or the next sync sets it aside and makes a new one from the files"
        return "the catalog \(Text.shown(path)): \(words)\(isDamaged ? advice : "")"
    }

    package static func suspicion(of path: String) -> CatalogError {
        CatalogError(code: SQLITE_CORRUPT, words: "somebody has met damage in it", path: path)
    }
}
