package import Apod
import Files
import Synchronization

/// The former versions of items.
extension Catalog {
    static func enter(_ version: FormerVersion, to database: Database) throws {
        try database.run(
            "REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .day(version.day), .integer(version.number),
            .integer(version.replaced), .text(version.kinds.joined(separator: " ")), .integer(version.bytes),
            .integer(version.jsonBytes), .flag(version.isReverted), .flag(version.isDeleted))
    }

    package func enter(_ version: FormerVersion) throws {
        try changing([version.day]) { database in try Self.enter(version, to: database) }
    }

    /// Of each day the oldest first.
    package func versions(in range: ClosedRange<Day> = Day.all) throws -> [Day: [FormerVersion]] {
        let found = try all(
            "SELECT * FROM version WHERE day BETWEEN ? AND ? ORDER BY day, number", .day(range.lowerBound),
            .day(range.upperBound)
        ) { $0.version }
        return Dictionary(grouping: found, by: \.day)
    }

    /// What was replaced last, and `revert` brings back; the newest first, one of each day.
    package func lastReplaced(atMost limit: Int) throws -> [FormerVersion] {
        try all(
            """
            SELECT *, max(number) FROM version WHERE day > 0 AND deleted = 0 GROUP BY day
            ORDER BY replaced DESC, day DESC LIMIT ?
            """, .integer(limit)
        ) { $0.version }
    }

    /// Those of all items that were replaced last, the newest first; none of lists that are gone.
    package func newestVersions(atMost limit: Int) throws -> [FormerVersion] {
        try all(
            """
            SELECT * FROM version WHERE EXISTS (SELECT 1 FROM day WHERE day.day = version.day AND stem IS NOT NULL)
            ORDER BY replaced DESC, day DESC LIMIT ?
            """, .integer(limit)
        ) { $0.version }
    }

    /// How many versions `revert` can bring back.
    package func countVersions() throws -> Int {
        try integer("SELECT count(*) FROM version WHERE day > 0 AND deleted = 0") ?? 0
    }

    /// The versions with files, also of lists that are gone; that which was replaced first before the others.
    package func versionsWithFiles(in range: ClosedRange<Day> = Day.all) throws -> [FormerVersion] {
        try all(
            """
            SELECT * FROM version WHERE day BETWEEN ? AND ? AND deleted = 0 AND bytes > 0 ORDER BY replaced, day, number
            """, .day(range.lowerBound), .day(range.upperBound)
        ) { $0.version }
    }
}

extension Database.Row {
    fileprivate var version: FormerVersion? {
        guard let day, let number = integer("number"), let replaced = integer("replaced") else { return nil }
        return FormerVersion(
            day: day, number: number, replaced: replaced,
            kinds: (text("kinds") ?? "").split(separator: " ").map(String.init), bytes: integer("bytes") ?? 0,
            jsonBytes: integer("json_bytes") ?? 0, isReverted: integer("reverted") == 1,
            isDeleted: integer("deleted") == 1)
    }
}
