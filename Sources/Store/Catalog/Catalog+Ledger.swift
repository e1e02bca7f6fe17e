package import Apod
import Files
import Synchronization

/// A day or an item with files that may be deleted.
package struct Candidate: Sendable, Equatable {
    package let name: FileName
    package let title: String
    /// The bytes of its files; its JSON stays.
    package let bytes: Int

    package var day: Day { name.day }

    package init(name: FileName, title: String, bytes: Int) {
        (self.name, self.title, self.bytes) = (name, title, bytes)
    }
}

/// What there is of all lists, and what may be deleted of it.
extension Catalog {
    /// The time that decides about deletion, as SQL; `?1` is what the clock says. A clock that is ahead must delete
    /// nothing: it is believed up to three days after the newest day begins.
    private static let believed = """
        min(?1, coalesce(
            (SELECT day FROM day WHERE day > 0 AND stem IS NOT NULL ORDER BY day DESC LIMIT 1) * 86400
                + \(3 * 86_400), ?1))
        """

    package func believed(_ now: Int) throws -> Int {
        try integer("SELECT \(Self.believed)", .integer(now)) ?? now
    }

    /// The bytes of all files, all JSON and all former versions.
    package func bytes() throws -> Int {
        try integer(
            """
            SELECT ifnull((SELECT sum(bytes) FROM file), 0) + ifnull((SELECT sum(json_bytes) FROM day), 0)
                + ifnull((SELECT sum(bytes + json_bytes) FROM version), 0)
            """) ?? 0
    }

    /// The bytes of the files that may be deleted before those of a day: all that is older, and other lists.
    package func releasableBytes(before day: Day, sparing favorites: Set<Day>) throws -> Int {
        try integer(
            "SELECT sum(bytes) FROM file WHERE day < ?1 AND day NOT IN (SELECT value FROM json_each(?2))",
            .day(day), .days(favorites)) ?? 0
    }

    /// What has files, in the order in which it goes: the items of other lists but their covers, then the days before one;
    /// the oldest first. Those that are marked are among them.
    package func candidates(before limit: Day, sparing favorites: Set<Day>) throws -> [Candidate] {
        let all = try all(
            """
            SELECT file.day, list, stem, title, sum(bytes) AS bytes FROM file JOIN day ON day.day = file.day
            WHERE file.day < ?1 AND stem IS NOT NULL AND file.day NOT IN (SELECT value FROM json_each(?2))
            GROUP BY file.day ORDER BY file.day
            """, .day(limit), .days(favorites)
        ) { row -> Candidate? in
            guard let name = row.fileName, !name.isCover else { return nil }
            return Candidate(name: name, title: row.text("title") ?? "", bytes: row.integer("bytes") ?? 0)
        }
        let items = all.prefix { $0.day.isItem }
        var orders: [Day: ItemOrder] = [:]
        for list in Set(items.compactMap(\.name.list)) { orders.merge(try self.items(of: list).orders) { $1 } }
        let inOrder = items.map { ($0, orders[$0.day] ?? ItemOrder($0.name)) }.sorted { $0.1 < $1.1 }.map(\.0)
        return inOrder + all[items.count...]
    }

    /// How many days, or items of a list, have files.
    package func countWithFiles(of list: ListName?) throws -> Int {
        let range = Day.all(of: list)
        return try integer(
            """
            SELECT count(*) FROM day WHERE day BETWEEN ? AND ? AND stem IS NOT NULL
                AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """, .day(range.lowerBound), .day(range.upperBound)) ?? 0
    }

    /// The newest day whose files were deleted.
    package func newestPruned() throws -> Day? {
        try day("SELECT max(day) FROM day WHERE day > 0 AND state <> 'mirrored' AND state = 'pruned'")
    }

    /// The days and items that are marked and still have files: their deletion was cut off.
    func marked() throws -> [Day] {
        try days(
            """
            SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned'
            AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
            """
        ).sorted()
    }
}
