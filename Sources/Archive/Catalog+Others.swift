package import Apod
internal import Synchronization

/// What several days have in common.
extension Catalog {
    /// The newest of the other days that have a file with these bytes.
    package func day(having file: StoredFile, otherThan day: Day) throws(CatalogError) -> Day? {
        try database.withLock { database throws(CatalogError) in
            // By its size first, which is indexed.
            try database.first(
                "SELECT max(day) FROM file WHERE bytes = ? AND sha256 = ? AND day <> ?",
                .integer(file.bytes), .blob(file.sha256.bytes), .integer(day.number)
            ) { $0.day } ?? nil
        }
    }

    /// The newest of the other days in the tree that have this title and this text.
    package func day(telling prose: Change.Prose, otherThan day: Day) throws(CatalogError) -> Day? {
        try database.withLock { database throws(CatalogError) in
            try database.first(
                """
                SELECT max(day) FROM day WHERE title = ? AND day <> ? AND stem IS NOT NULL
                AND (SELECT explanation FROM prose WHERE rowid = day.day) = ?
                """, .text(prose.title), .integer(day.number), .text(prose.explanation)
            ) { $0.day } ?? nil
        }
    }

    /// What a day says, as it was last read; nil if there is nothing of it.
    package func prose(of day: Day) throws(CatalogError) -> Change.Prose? {
        try database.withLock { database throws(CatalogError) in
            try database.first("SELECT title, explanation FROM prose WHERE rowid = ?", .integer(day.number)) { row in
                Change.Prose(title: row.text(0) ?? "", explanation: row.text(1) ?? "")
            }
        }
    }
}
