package import Apod
package import Files
import Synchronization

/// Queries and marks of retention.
extension Catalog {
    /// How long the picture of a favorite that ended, and what was replaced, are kept, in seconds.
    package static let grace = 90 * 86_400

    /// The time that decides about deletion, as SQL; `?1` is what the clock says. A clock that is ahead must delete
    /// nothing: it is believed up to three days after the newest day begins.
    private static let believed = """
        min(?1, coalesce(
            (SELECT day FROM day WHERE stem IS NOT NULL ORDER BY day DESC LIMIT 1) * 86400 + \(3 * 86_400), ?1))
        """

    package func believed(_ now: Int) throws(StorageError) -> Int {
        try integer("SELECT \(Self.believed)", .integer(now)) ?? now
    }

    /// Whether retention leaves a day alone, as an SQL condition: it is a favorite, or was one within `grace`.
    static func isProtected(_ day: String) -> String {
        "\(day) IN (SELECT day FROM favorite WHERE ended IS NULL OR ended > \(believed) - \(grace))"
    }

    package func isProtected(_ day: Day, at now: Int) throws(StorageError) -> Bool {
        try database.withLock { database throws(StorageError) in try Self.isProtected(day, at: now, in: database) }
    }

    static func isProtected(_ day: Day, at now: Int, in database: Database) throws(StorageError) -> Bool {
        try database.first(
            "SELECT 1 WHERE \(isProtected("?2"))", .integer(now), .day(day)
        ) { _ in true } ?? false
    }

    /// The bytes of all files, all JSON and all replaced files.
    package func bytes() throws(StorageError) -> Int {
        try integer(
            """
            SELECT ifnull((SELECT sum(bytes) FROM file), 0) + ifnull((SELECT sum(json_bytes) FROM day), 0)
                + ifnull((SELECT value FROM fact WHERE name = ?), 0)
            """, .text(Fact.replacedBytes.rawValue)) ?? 0
    }

    /// The bytes of the files before a day that may be deleted.
    package func releasableBytes(before day: Day, at now: Int) throws(StorageError) -> Int {
        try integer(
            "SELECT sum(bytes) FROM file WHERE day < ?2 AND NOT \(Self.isProtected("file.day"))",
            .integer(now), .day(day)) ?? 0
    }

    /// The days with files, before `limit` if that is given; also those that are marked.
    package func pruneCandidates(before limit: Day? = nil, at now: Int) throws(StorageError) -> [PruneCandidates
        .Candidate]
    {
        try all(
            """
            SELECT file.day, title, sum(bytes) AS bytes, \(Self.isProtected("file.day")) AS protected
            FROM file JOIN day ON day.day = file.day
            WHERE file.day < ?2 AND stem IS NOT NULL GROUP BY file.day ORDER BY file.day
            """, .integer(now), .integer(limit?.number ?? .max)
        ) { row in
            row.day.map { day in
                PruneCandidates.Candidate(
                    day: day, title: row.text("title") ?? "", bytes: row.integer("bytes") ?? 0,
                    isFavorite: row.integer("protected") == 1)
            }
        }
    }

    /// How many days have files.
    package func countDaysWithFiles() throws(StorageError) -> Int {
        try integer(
            "SELECT count(*) FROM day WHERE stem IS NOT NULL AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)")
            ?? 0
    }

    /// The newest day whose files were deleted.
    package func newestPruned() throws(StorageError) -> Day? {
        try day("SELECT max(day) FROM day WHERE state <> 'mirrored' AND state = 'pruned'")
    }

    /// Marks days as pruned before their files are deleted, unless they are protected by now. Returns the marked days.
    package func mark(_ leaving: [DayStatus], at now: Int) throws(StorageError) -> Set<Day> {
        try changing { database throws(StorageError) in
            var marked: Set<Day> = []
            for status in leaving where try !Self.isProtected(status.day, at: now, in: database) {
                try Self.write(Change(status), to: database)
                marked.insert(status.day)
            }
            return marked
        }
    }

    /// The days that are marked and still have files: their deletion was cut off.
    package func marked() throws(StorageError) -> [Day] {
        try days(
            """
            SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned'
            AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """
        ).sorted()
    }
}
