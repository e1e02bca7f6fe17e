package import Apod
import Files
import Synchronization

/// A day or an item with files that may be deleted.
package struct Candidate: Sendable, Equatable {
    package let name: FileName
    package let title: String
    /// The bytes of its files; its JSON stays.
    package let bytes: Int

    package var key: Key { name.key }
}

/// What there is of all lists, and what may be deleted of it.
extension Catalog {
    /// The time that decides about deletion, as SQL; `?1` is what the clock says. A clock that is ahead must delete
    /// nothing: it is believed up to three days after the newest day begins.
    private static let believed = """
        min(?1, coalesce(
            (SELECT n FROM item WHERE list = '' AND \(Item.isStored) ORDER BY n DESC LIMIT 1) * 86400
                + \(3 * 86_400), ?1))
        """

    package func believed(_ now: Int) throws -> Int {
        try integer("SELECT \(Self.believed)", .integer(now)) ?? now
    }

    /// The bytes of all files, all JSON and all former versions.
    package func bytes() throws -> Int {
        try integer(
            """
            SELECT ifnull((SELECT sum(bytes + json_bytes) FROM total), 0)
                + ifnull((SELECT sum(bytes + json_bytes) FROM version), 0)
            """) ?? 0
    }

    /// The bytes of the files that may be deleted before those of a day: all that is older, and other lists.
    package func releasableBytes(before day: Day, sparing favorites: Set<Key>) throws -> Int {
        try all(
            of: favorites,
            """
            SELECT sum(bytes) FROM file
            WHERE (n < ?2 OR list <> '') AND n NOT IN (SELECT value FROM json_each(?1))
            """, .day(day)
        ) { $0.integer(0) }.first ?? 0
    }

    /// What has files, in the order in which it goes: the items of other lists but their covers, then the days before one;
    /// the oldest first. Those that are marked are among them.
    package func candidates(before limit: Day, sparing favorites: Set<Key>) throws -> [Candidate] {
        let all = try all(
            of: favorites,
            """
            SELECT n, item.list, stem, title, sum(bytes) AS bytes FROM file JOIN item USING (n)
            WHERE (n < ?2 OR file.list <> '') AND n NOT IN (SELECT value FROM json_each(?1)) GROUP BY n ORDER BY n
            """, .day(limit)
        ) { row -> Candidate? in
            guard let name = row.fileName, !name.key.isCover else { return nil }
            return Candidate(name: name, title: row.text("title") ?? "", bytes: row.integer("bytes") ?? 0)
        }
        var orders: [Key: ItemOrder] = [:]
        for list in Set(all.compactMap(\.name.list)) { orders.merge(try entries(of: list).orders) { $1 } }
        let items = all.compactMap { one in one.key.item.map { (one, orders[one.key] ?? ItemOrder($0)) } }
        return items.sorted { $0.1 < $1.1 }.map(\.0) + all.filter { $0.name.list == nil }
    }

    /// How many days, or items of a list, have files.
    package func countWithFiles(of list: ListName?) throws -> Int {
        try integer("SELECT count(DISTINCT n) FROM file WHERE list = ?", .list(list)) ?? 0
    }

    /// The newest day whose files were deleted.
    package func newestPruned() throws -> Day? {
        try day("SELECT max(n) FROM item WHERE list = '' AND state <> 'mirrored' AND state = 'pruned'")
    }

    /// The days and items that are marked and still have files: their deletion was cut off.
    func marked() throws -> [Key] {
        try keys("SELECT n FROM item WHERE state <> 'mirrored' AND state = 'pruned' AND \(Item.hasFiles)").sorted()
    }
}
