package import Apod
import Files
import Synchronization

/// The former versions of items.
extension Catalog {
    static func enter(_ version: FormerVersion, to database: Database) throws {
        try database.run(
            "REPLACE INTO version VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .integer(try database.numbered(version.key)),
            .integer(version.number),
            .integer(version.replaced), .text(version.kinds.joined(separator: " ")), .integer(version.bytes),
            .integer(version.jsonBytes), .flag(version.isReverted), .flag(version.isDeleted))
    }

    package func enter(_ version: FormerVersion) throws {
        try changing([version.key]) { database in try Self.enter(version, to: database) }
    }

    /// Of each item the oldest first.
    package func versions(in scope: Scope) throws -> [Key: [FormerVersion]] {
        let sql = "SELECT * FROM version WHERE \(scope.sql()) ORDER BY n, number"
        return Dictionary(grouping: try all(sql, values: scope.values) { $0.version }, by: \.key)
    }

    /// What was replaced last of APOD, and `revert` brings back; the newest first, one of each day.
    package func lastReplaced(atMost limit: Int) throws -> [FormerVersion] {
        try all(
            """
            SELECT *, max(number) FROM version WHERE n <= ? AND deleted = 0 GROUP BY n
            ORDER BY replaced DESC, n DESC LIMIT ?
            """, .day(.last), .integer(limit)
        ) { $0.version }
    }

    /// Those of all items that were replaced last, the newest first; none of lists that are gone.
    package func newestVersions(atMost limit: Int) throws -> [FormerVersion] {
        try all(
            """
            SELECT * FROM version
            WHERE EXISTS (SELECT 1 FROM item WHERE item.n = version.n AND item.\(Item.isStored))
            ORDER BY replaced DESC, n DESC LIMIT ?
            """, .integer(limit)
        ) { $0.version }
    }

    /// How many versions `revert` can bring back.
    package func countVersions() throws -> Int {
        try integer("SELECT count(*) FROM version WHERE n <= ? AND deleted = 0", .day(.last)) ?? 0
    }

    /// The versions with files, also of lists that are gone; that which was replaced first before the others.
    package func versionsWithFiles() throws -> [FormerVersion] {
        try all("SELECT * FROM version WHERE deleted = 0 AND bytes > 0 ORDER BY replaced, n, number") { $0.version }
    }
}

extension Database.Row {
    fileprivate var version: FormerVersion? {
        guard let key, let number = integer("number"), let replaced = integer("replaced") else { return nil }
        return FormerVersion(
            key: key, number: number, replaced: replaced,
            kinds: (text("kinds") ?? "").split(separator: " ").map(String.init), bytes: integer("bytes") ?? 0,
            jsonBytes: integer("json_bytes") ?? 0, isReverted: integer("reverted") == 1,
            isDeleted: integer("deleted") == 1)
    }
}
