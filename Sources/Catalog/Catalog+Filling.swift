package import Apod
package import Files

/// Fills a catalog, or its search index, from the tree in one transaction.
extension Catalog {
    /// Enters the days of all parts of the tree, and returns them. `read` returns the days of one part.
    package func fill<Part: Sendable>(
        from parts: [Part], _ read: @Sendable (Part) throws(StorageError) -> [Change]
    ) throws(StorageError) -> [Day] {
        try transaction { database throws(StorageError) in
            var days: [Day] = []
            for part in parts {
                for change in try read(part) {
                    try Self.write(change, to: database)
                    days.append(change.status.day)
                }
            }
            return days
        }
    }

    /// Makes the search index anew; the rest stays as it is.
    package func fillSearch<Part: Sendable>(
        from parts: [Part], _ read: @Sendable (Part) throws(StorageError) -> [Change]
    ) throws(StorageError) {
        try transaction { database throws(StorageError) in
            let made = try database.first("SELECT sql FROM sqlite_schema WHERE name = 'prose'") { $0.text(0) }
            guard let made else { throw StorageError(catalog: database.path, "its search index is missing", .damaged) }
            // SQLite cannot drop a damaged index: it gets the content of an empty one first.
            try database.script(
                """
                CREATE VIRTUAL TABLE blank USING fts5 (title);
                DELETE FROM prose_data; INSERT INTO prose_data SELECT * FROM blank_data;
                DELETE FROM prose_config; INSERT INTO prose_config SELECT * FROM blank_config;
                DROP TABLE blank; DROP TABLE prose; \(made)
                """)
            for part in parts {
                for change in try read(part) { try Self.writeProse(of: change, to: database) }
            }
        }
    }
}
