package import Apod
package import Files
import Synchronization

/// Favorites that ended not long ago. Their pictures stay for a while, should somebody have second thoughts.
extension Catalog {
    /// So many seconds.
    package static let grace = 30 * 86_400

    static let isEnd = "kind IN ('removed', 'forgotten')"

    /// By a clock that is ahead, they would all have ended long ago: it is believed as far as there are days. The newest is
    /// from yesterday, as a rule.
    static let isRecent = """
        moment > min(?1, coalesce(
            (SELECT day FROM day WHERE stem IS NOT NULL ORDER BY day DESC LIMIT 1) * 86400 + \(3 * 86_400 - grace), ?1))
        """

    /// For ?1 below. An end that is still to come was noted by a clock that was wrong, or is asked for by one: it is not
    /// long ago.
    static func graceBegin(at now: Int) -> Database.Value { .integer(now - grace) }

    /// The first ones after a day, oldest first.
    package func ended(after day: Day?, atMost limit: Int, at now: Int) throws(StorageError) -> [Favorite] {
        try database.withLock { database throws(StorageError) in
            let ended = try database.all(
                """
                SELECT gone.day, moment, stem, title, state,
                    (SELECT type FROM file WHERE file.day = gone.day ORDER BY role = 'poster', role LIMIT 1)
                FROM (
                    SELECT day, max(moment) AS moment FROM change WHERE \(Self.isEnd) AND \(Self.isRecent) AND day > ?2
                    AND day NOT IN (SELECT day FROM favorite) GROUP BY day ORDER BY day LIMIT ?3
                ) AS gone LEFT JOIN day ON day.day = gone.day ORDER BY gone.day
                """, Self.graceBegin(at: now), .integer(day?.number ?? .min), .integer(limit)
            ) { row in Self.favorite(row, endedAt: row.integer(1)) }.compactMap(\.self)
            guard let first = ended.first, let last = ended.last else { return [] }
            let added = try Self.additions(of: first.day...last.day, database)
            return ended.map { favorite in
                var favorite = favorite
                favorite.added = added[favorite.day.number] ?? favorite.added
                return favorite
            }
        }
    }

    /// When they became favorites last, by the number of their days.
    private static func additions(
        of days: ClosedRange<Day>, _ database: Database
    ) throws(StorageError) -> [Int: Int] {
        var moments: [Int: Int] = [:]
        _ = try database.all(
            "SELECT day, moment FROM change WHERE kind = 'added' AND day BETWEEN ? AND ? ORDER BY rowid",
            .integer(days.lowerBound.number), .integer(days.upperBound.number)
        ) { row in if let day = row.integer(0) { moments[day] = row.integer(1) } }
        return moments
    }

    /// Enters ends that were known before the catalog was lost.
    package func recall(ended: [(day: Day, added: Int, moment: Int)]) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for (day, added, moment) in ended {
                    for (kind, moment) in [(HistoryEntry.Kind.added, added), (.removed, moment)] {
                        try database.run(
                            "INSERT INTO change VALUES (?, ?, ?, NULL, NULL)", .integer(moment), .integer(day.number),
                            .text(kind.rawValue))
                    }
                }
            }
        }
    }
}
