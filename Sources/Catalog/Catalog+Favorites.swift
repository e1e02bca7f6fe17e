package import Apod
package import Files
import Synchronization

/// What is here of the days that are favorites.
extension Catalog {
    /// The titles of some days, and the file of each to look at (or the JSON alone), below the root; nil for a picture that
    /// is not here.
    package func faces(
        of days: some Sequence<Day>
    ) throws(StorageError) -> [Day: (title: String?, picture: String?)] {
        let faces = try all(
            """
            SELECT day.day, stem, title, state,
                \(Self.firstType) AS type
            FROM json_each(?) JOIN day ON day.day = value
            """, .days(days)
        ) { row in
            row.day.map { day in
                let isPruned = row.text("state") == DayStatus.State.pruned.rawValue
                let name = isPruned ? nil : row.name
                return (day, (title: row.text("title"), picture: name.map { "\(day.folder)/\($0)" }))
            }
        }
        return Dictionary(faces) { first, _ in first }
    }

    /// Whether a day's files are in the tree, as an SQL condition.
    private static let isHere = """
        (stem IS NOT NULL AND state NOT IN ('pruned', 'placeholder') AND (state <> 'failed'
            OR \(hasMain)))
        """

    /// The favorites to ask for: their day has begun, and its files are not in the tree.
    package func due(among favorites: Set<Day>, at now: Int) throws(StorageError) -> Set<Day> {
        try days(
            """
            SELECT value FROM json_each(?2) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere) AND value <= ?3 AND \(RetryPolicy.isDue(at: "?1"))
            """, .integer(now), .days(favorites), .day(RetryPolicy.latest(at: now)))
    }

    package typealias Awaited = (day: Day, state: DayStatus.State?, failure: Failure?)

    /// The favorites whose picture is not here, and what is known of their days.
    package func pending(among favorites: Set<Day>) throws(StorageError) -> [Awaited] {
        try all(
            """
            SELECT value, state, failure FROM json_each(?) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere) ORDER BY value
            """, .days(favorites)
        ) { row in
            row.day.map { (day: $0, state: row.text("state").flatMap(DayStatus.State.init), failure: row.failure) }
        }
    }

    /// Ends the pause of days that NASA did not have: whoever wishes for a day is answered by NASA, and not by what it said
    /// before.
    package func askAgain(for days: Set<Day>) throws(StorageError) {
        if days.isEmpty { return }
        try database.withLock { database throws(StorageError) in
            try database.run(
                """
                UPDATE day SET retry_after = NULL
                WHERE state = 'absent' AND day IN (SELECT value FROM json_each(?))
                """, .days(days))
        }
    }

    /// The files of this size in the tree, JSON among them.
    package func files(ofSize bytes: Int) throws(StorageError) -> [TreeFile] {
        try all(
            """
            SELECT day.day, stem, type, number, sha256 FROM file JOIN day ON day.day = file.day
            WHERE bytes = ?1 AND stem IS NOT NULL
            UNION ALL SELECT day, stem, NULL, 1, json_sha256 FROM day WHERE json_bytes = ?1
            """, .integer(bytes)
        ) { row -> TreeFile? in
            guard let day = row.day, let name = row.name(row.integer("number") ?? 1),
                let sha256 = row.blob("sha256").flatMap(Digest.init)
            else { return nil }
            return TreeFile(day: day, name: name, sha256: sha256)
        }
    }
}

/// A file in its place in the tree.
package struct TreeFile: Sendable, Equatable {
    package let day: Day
    package let name: String
    package let sha256: Digest
}
