package import Apod
package import Files
internal import Synchronization

/// Records that have brought something worse than what is here. As long as they stay as they are, their files are not
/// fetched at every look.
extension Catalog {
    package func refuse(_ record: Digest, of day: Day, at now: Int) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.run(
                "REPLACE INTO refused (day, content, moment) VALUES (?, ?, ?)", .integer(day.number),
                .blob(record.bytes), .integer(now))
        }
    }

    package func isRefused(_ record: Digest, of day: Day, at now: Int) throws(StorageError) -> Bool {
        let moment = try first(
            "SELECT moment FROM refused WHERE day = ? AND content = ?", .integer(day.number), .blob(record.bytes)
        ) { $0.integer(0) }
        return (moment ?? nil).map { RetryPolicy.isRefused(since: $0, at: now) } ?? false
    }
}
