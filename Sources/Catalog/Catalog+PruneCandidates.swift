package import Apod
package import Files
import Synchronization

/// Queries and marks of retention.
extension Catalog {
    /// The time that decides about deletion, as SQL; `?1` is what the clock says. A clock that is ahead must delete
    /// nothing: it is believed up to three days after the newest day begins.
    private static let believed = """
        min(?1, coalesce(
            (SELECT day FROM day WHERE day > 0 AND stem IS NOT NULL ORDER BY day DESC LIMIT 1) * 86400 + \(3 * 86_400), ?1))
        """

    package func believed(_ now: Int) throws(StorageError) -> Int {
        try integer("SELECT \(Self.believed)", .integer(now)) ?? now
    }

    /// The bytes of all files, all JSON and all former versions.
    package func bytes() throws(StorageError) -> Int {
        try integer(
            """
            SELECT ifnull((SELECT sum(bytes) FROM file WHERE day > 0), 0)
                + ifnull((SELECT sum(json_bytes) FROM day INDEXED BY json_bytes WHERE day > 0), 0)
                + ifnull((SELECT sum(bytes + json_bytes) FROM version WHERE day > 0), 0)
            """) ?? 0
    }

    /// The bytes of the files before a day that may be deleted.
    package func releasableBytes(before day: Day, sparing favorites: Set<Day>) throws(StorageError) -> Int {
        try integer(
            "SELECT sum(bytes) FROM file WHERE day > 0 AND day < ?1 AND day NOT IN (SELECT value FROM json_each(?2))",
            .day(day), .days(favorites)) ?? 0
    }

    /// The days with files, before `limit` if that is given; also those that are marked.
    package func pruneCandidates(
        before limit: Day? = nil, sparing favorites: Set<Day>
    ) throws(StorageError) -> [PruneCandidates.Candidate] {
        try all(
            """
            SELECT file.day, title, sum(bytes) AS bytes FROM file JOIN day ON day.day = file.day
            WHERE file.day > 0 AND file.day < ?1 AND stem IS NOT NULL AND file.day NOT IN (SELECT value FROM json_each(?2))
            GROUP BY file.day ORDER BY file.day
            """, .integer(limit?.number ?? .max), .days(favorites)
        ) { row in
            row.day.map {
                PruneCandidates.Candidate(day: $0, title: row.text("title") ?? "", bytes: row.integer("bytes") ?? 0)
            }
        }
    }

    /// How many days have files.
    package func countDaysWithFiles() throws(StorageError) -> Int {
        try integer(
            """
            SELECT count(*) FROM day
            WHERE day > 0 AND stem IS NOT NULL AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """) ?? 0
    }

    /// The newest day whose files were deleted.
    package func newestPruned() throws(StorageError) -> Day? {
        try day("SELECT max(day) FROM day WHERE day > 0 AND state <> 'mirrored' AND state = 'pruned'")
    }

    /// The days and items that are marked and still have files: their deletion was cut off.
    package func marked() throws(StorageError) -> [Day] {
        try days(
            """
            SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned'
            AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """
        ).sorted()
    }
}
