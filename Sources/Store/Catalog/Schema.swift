import Apod
import Files

/// The catalog's tables (schema.sql). A new catalog gets them; one of another version is not used, but made again from
/// the files.
enum Schema {
    /// Raised with every change of schema.sql, or of what its columns mean.
    static let version = 128

    /// Makes the tables in an empty database; throws if it is of another version.
    static func open(_ database: Database) throws {
        let isEmpty = try isEmpty(database)
        if !isEmpty { try check(database) }
        // WAL: readers go on during a write. FULL: what is committed survives a power cut.
        try database.script("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;")
        guard isEmpty else { return }
        try database.transaction {
            try database.script(PackageResources.schema_sql.text)
            // Items of other lists get the numbers above those of all days.
            try database.script("INSERT INTO sqlite_sequence VALUES ('item', \(Day.last.number))")
            try database.script("PRAGMA user_version = \(version)")
        }
    }

    /// Throws if it is empty or of another version: a reader cannot make the tables.
    static func recognise(_ database: Database) throws {
        // A full disk can leave a new catalog empty.
        if try isEmpty(database) {
            let words = "is empty; the service or the next sync makes it again when the disk has room for it"
            throw Problem(.catalog, words, path: database.path)
        }
        try check(database)
    }

    private static func isEmpty(_ database: Database) throws -> Bool {
        guard try version(of: database) == 0 else { return false }
        return try database.first("SELECT 1 FROM sqlite_schema", row: { _ in true }) == nil
    }

    private static func check(_ database: Database) throws {
        let found = try version(of: database)
        guard found == version else {
            throw Problem(.unusable, "is of version \(found), not \(version)", path: database.path)
        }
    }

    private static func version(of database: Database) throws -> Int {
        try database.first("PRAGMA user_version") { $0.integer(0) } ?? 0
    }
}
