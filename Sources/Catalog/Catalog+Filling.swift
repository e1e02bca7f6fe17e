package import Apod
package import Files

/// Fills a catalog from the tree in one transaction.
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
}
