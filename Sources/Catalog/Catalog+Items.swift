package import Apod
package import Files

/// The items of another list, in its catalog.
extension Catalog {
    /// The names of all items that were seen, by their ids.
    package func items() throws(StorageError) -> [String: FileName] {
        let items = try all("SELECT id, stem FROM item") { row -> (String, FileName)? in
            guard let id = row.text("id"), let name = row.text("stem").flatMap(FileName.init(stemOfItem:)) else {
                return nil
            }
            return (id, name)
        }
        return Dictionary(items) { $1 }
    }

    /// Remembers the names of new items.
    package func enter(_ items: [(id: String, name: FileName)]) throws(StorageError) {
        if items.isEmpty { return }
        try transaction { database throws(StorageError) in
            for (id, name) in items { try Self.enter(id, name, to: database) }
        }
    }

    static func enter(_ id: String, _ name: FileName, to database: Database) throws(StorageError) {
        try database.run("REPLACE INTO item VALUES (?, ?, ?)", .text(id), .day(name.day), .text(name.stem))
    }

    /// The items to ask for: those that were not fetched, or not completely, and are not put off. Without a moment, none
    /// is put off.
    package func dueItems(at moment: Int?) throws(StorageError) -> Set<Day> {
        try days(
            """
            SELECT number FROM item LEFT JOIN day ON day = number WHERE state IS NOT 'pruned'
                AND (\(RetryPolicy.isDue(at: "?1")) OR ?1 IS NULL AND state IS NOT 'mirrored')
            """, .optional(moment))
    }
}
