package import Apod
package import Files
import Synchronization

/// What retention asks, and what it tells.
extension Catalog {
    /// So many seconds, the pictures of favorites that ended are kept as if they were favorites.
    private static let grace = 90 * 86_400

    /// Whether retention leaves a day alone: a favorite, with its picture or without, or one that ended not long ago. By a clock
    /// that is ahead, all would have ended long ago: it is believed as far as there are days. The newest is from yesterday, as
    /// a rule.
    static func isProtected(_ day: String) -> String {
        """
        \(day) IN (SELECT day FROM favorite WHERE ended IS NULL OR ended > min(?1, coalesce(
            (SELECT day FROM day WHERE stem IS NOT NULL ORDER BY day DESC LIMIT 1) * 86400 + \(3 * 86_400 - grace), ?1)))
        """
    }

    /// For ?1 above.
    private static func graceBegin(at now: Int) -> Database.Value { .integer(now - grace) }

    package func isProtected(_ day: Day, at now: Int) throws(StorageError) -> Bool {
        try database.withLock { database throws(StorageError) in try Self.isProtected(day, at: now, in: database) }
    }

    static func isProtected(_ day: Day, at now: Int, in database: Database) throws(StorageError) -> Bool {
        try database.first(
            "SELECT 1 WHERE \(isProtected("?2"))", graceBegin(at: now), .integer(day.number)
        ) { _ in true } ?? false
    }

    /// Of all files and all JSON, and of what was replaced.
    package func bytes() throws(StorageError) -> Int {
        try first(
            """
            SELECT ifnull((SELECT sum(bytes) FROM file), 0) + ifnull((SELECT sum(json_bytes) FROM day), 0)
                + ifnull((SELECT value FROM fact WHERE name = ?), 0)
            """, .text(Fact.replacedBytes.rawValue)
        ) { $0.integer(0) ?? 0 } ?? 0
    }

    /// Of the files that could be deleted before a day's are.
    package func releasableBytes(before day: Day, at now: Int) throws(StorageError) -> Int {
        try first(
            "SELECT sum(bytes) FROM file WHERE day < ?2 AND NOT \(Self.isProtected("file.day"))",
            Self.graceBegin(at: now), .integer(day.number)
        ) { $0.integer(0) ?? 0 } ?? 0
    }

    /// Those of the days with files that are before one, or all; also those that are on their way out.
    package func pruneCandidates(before limit: Day? = nil, at now: Int) throws(StorageError) -> [PruneCandidates
        .Candidate]
    {
        try all(
            """
            SELECT file.day, title, sum(bytes), \(Self.isProtected("file.day"))
            FROM file JOIN day ON day.day = file.day
            WHERE file.day < ?2 AND stem IS NOT NULL GROUP BY file.day ORDER BY file.day
            """, Self.graceBegin(at: now), .integer(limit?.number ?? .max)
        ) { row in
            row.day.map { day in
                PruneCandidates.Candidate(
                    day: day, title: row.text(1) ?? "", bytes: row.integer(2) ?? 0, isFavorite: row.integer(3) == 1)
            }
        }.compactMap(\.self)
    }

    /// How many days have files.
    package func countDaysWithFiles() throws(StorageError) -> Int {
        try first(
            "SELECT count(*) FROM day WHERE stem IS NOT NULL AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)"
        ) { $0.integer(0) ?? 0 } ?? 0
    }

    /// The newest day whose files were deleted.
    package func newestPruned() throws(StorageError) -> Day? {
        try day("SELECT max(day) FROM day WHERE state <> 'mirrored' AND state = 'pruned'")
    }

    /// Marks days as on their way out. In the same step it is seen that nobody has come to want them: returns those that
    /// may go.
    package func mark(_ leaving: [DayStatus], at now: Int) throws(StorageError) -> Set<Day> {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                var marked: Set<Day> = []
                for status in leaving where try !Self.isProtected(status.day, at: now, in: database) {
                    try Self.write(Change(status), to: database)
                    marked.insert(status.day)
                }
                return marked
            }
        }
    }

    /// The days that are on their way out: the program was killed before all of it was done.
    package func marked() throws(StorageError) -> [Day] {
        try days(
            """
            SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned'
            AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """
        ).sorted()
    }
}
