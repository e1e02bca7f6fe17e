package import Apod
import Files

/// The items of other lists.
extension Catalog {
    /// How a list has all its items that were seen.
    package func entries(of list: ListName) throws -> [ItemEntry] {
        try all("SELECT n, list, stem, id, place, came FROM item WHERE list = ? AND id IS NOT NULL", .list(list)) {
            $0.entry
        }
    }

    /// The newest of the items of a list that count as failed (`summary`), and why.
    package func failing(of list: ListName) throws -> (name: FileName, why: Problem)? {
        let sql = """
            SELECT list, stem, failure FROM item WHERE list = ? AND state <> 'mirrored' AND state = 'failed'
                AND id IS NOT NULL AND NOT \(Item.lacksFiles) ORDER BY place DESC LIMIT 1
            """
        return try first(sql, .list(list)) { row in row.fileName.map { ($0, row.failure ?? Problem(.other)) } }
    }

    /// Remembers items as a page of the list has them.
    package func enter(_ items: [ItemEntry]) throws {
        if items.isEmpty { return }
        try transaction { database in
            for item in items { try Self.enter(item, isSeen: true, to: database) }
        }
    }

    /// The place of the first of at most so many items that come in now: above all known ones, whatever the clock said then.
    package func firstPlace(of most: Int, in list: ListName, at now: Int) throws -> Int {
        let highest = try integer("SELECT max(place) FROM item WHERE list = ?", .list(list))
        return max(ItemEntry.place(at: now), (highest ?? 0) + most)
    }

    /// What came to a list on a day: when the last of it did, how many, and how many of them were deleted since.
    package typealias Arrivals = (list: ListName, moment: Int, came: Int, gone: Int)

    /// The newest first.
    package func arrivals(atMost limit: Int) throws -> [Arrivals] {
        try all(
            """
            SELECT list, max(came) AS moment, count(*) AS came, sum(state = 'pruned') AS gone
            FROM item WHERE list > '' AND id <> '' AND \(Item.isStored)
            GROUP BY list, date(item.came, 'unixepoch', 'localtime') ORDER BY moment DESC LIMIT ?
            """, .integer(limit)
        ) { row in
            row.text("list").flatMap { ListName($0) }.map { list in
                (list, row.integer("moment") ?? 0, row.integer("came") ?? 0, row.integer("gone") ?? 0)
            }
        }
    }

    /// The items of which something is in the tree, the newest last.
    package func storedItems(of list: ListName) throws -> [Item] {
        let orders = try entries(of: list).orders
        let items = try stored(in: .list(list)).compactMap { item in
            item.key.item.map { (item, orders[item.key] ?? ItemOrder($0)) }
        }
        return items.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The items of a list that are older than as many as are to be kept: of those with files and, where some are to come,
    /// of those that were deleted and these. Its cover is none of them.
    package func items(of list: ListName, beyond keep: Int, coming: Set<Key>? = nil) throws -> Set<Key> {
        let here = try keys(
            """
            SELECT n FROM item WHERE list = ?1 AND id IS NOT NULL AND (\(Item.hasFiles) OR ?2 AND state = 'pruned')
            """, .list(list), .flag(coming != nil)
        ).union(coming ?? [])
        var left = keep
        let newest = try entries(of: list).filter { !$0.key.isCover }.orders.sorted { $0.value > $1.value }.map(\.key)
        return Set(
            newest.drop { item in
                defer { if here.contains(item) { left -= 1 } }
                return left > 0
            })
    }

    /// The deleted items of a list that are not put off, the newest first. Without a moment, none is put off.
    package func deletedItems(of list: ListName, at moment: Int?) throws -> [Key] {
        let deleted = try keys(
            """
            SELECT n FROM item WHERE list = ?2 AND state <> 'mirrored' AND state = 'pruned' AND id IS NOT NULL
                AND (\(Item.isDue(at: "?1")) OR ?1 IS NULL)
            """, .optional(moment), .list(list))
        if deleted.isEmpty { return [] }
        return try entries(of: list).orders.filter { deleted.contains($0.key) }.sorted { $0.value > $1.value }.map(
            \.key)
    }

    /// The list has these no more: what is here of them waits, and what never came is forgotten.
    package func leave(_ items: Set<Key>, at now: Int) throws {
        for key in items {
            if let item = try item(of: key)?.later(at: now), item.stored != nil {
                try record([Update(item)])
                continue
            }
            try changing([key]) { database in try Self.forget("n = ?", [.key(key)], in: database) }
        }
    }

    /// `isSeen`: whether the place is that in the list. Else one that is known keeps its own. Where another name had the
    /// id, as after a JSON was copied, the new one has it from now on.
    static func enter(_ item: ItemEntry, isSeen: Bool, to database: Database) throws {
        let (n, list, id) = (
            try database.numbered(item.key), Database.Value.list(item.name.list), Database.Value.text(item.id)
        )
        let before = try database.first("SELECT n, place, came FROM item WHERE list = ? AND id = ?", list, id) { row in
            (n: row.integer("n"), place: row.integer("place"), came: row.integer("came"))
        }
        if let before, before.n != n {
            let other = Database.Value.optional(before.n)
            try database.run("UPDATE item SET (id, place, came) = (NULL, NULL, NULL) WHERE n = ?", other)
            try database.run("DELETE FROM item WHERE n = ? AND state IS NULL", other)
        }
        try database.run(
            """
            UPDATE item SET (id, place, came) = (?2, coalesce(?3, place, ?4), coalesce(?5, came, ?6)) WHERE n = ?1
            """, .integer(n), id, .optional(isSeen ? item.place : before?.place), .integer(item.place),
            .optional(before?.came), .integer(item.came))
    }

    /// The items to ask for: those that were not fetched, or not completely, and are not put off. Without a moment, none
    /// is put off.
    package func dueItems(of list: ListName, at moment: Int?) throws -> Set<Key> {
        try keys(
            """
            SELECT n FROM item WHERE list = ?2 AND id IS NOT NULL AND state IS NOT 'pruned'
                AND (\(Item.isDue(at: "?1")) OR ?1 IS NULL AND state IS NOT 'mirrored')
            """, .optional(moment), .list(list))
    }

    /// The other lists of which something is in the tree.
    package func lists() throws -> Set<ListName> {
        Set(
            try all("SELECT DISTINCT list FROM item WHERE list > '' AND \(Item.isStored)") {
                $0.text("list").flatMap { ListName($0) }
            })
    }

    package func knows(_ list: ListName) throws -> Bool {
        try integer("SELECT 1 FROM item WHERE list = ? AND mark IS NOT NULL AND state IS NOT NULL LIMIT 1", .list(list))
            != nil
    }

    /// Forgets a list whose folder is gone, which the gallery has to learn. What was replaced in it stays.
    package func forget(_ list: ListName) throws {
        try transaction { database in
            try Self.forget("list = ? AND mark IS NOT NULL", [.list(list)], in: database)
            try database.run("DELETE FROM fact WHERE list = ? OR list = '' AND name = 'gallery'", .list(list))
        }
    }

    /// A row of which versions are left keeps its names alone.
    private static func forget(_ condition: String, _ values: [Database.Value], in database: Database) throws {
        let these = "(SELECT n FROM item WHERE \(condition))"
        for (table, number) in [("file", "n"), ("thumbnail", "n"), ("prose", "rowid")] {
            _ = try database.rows("DELETE FROM \(table) WHERE \(number) IN \(these)", values) { _ in true }
        }
        let kept = try database.rows(
            "SELECT n, list, stem, mark FROM item WHERE \(condition) AND n IN (SELECT n FROM version)", values
        ) { row in (row.integer("n"), row.text("list"), row.text("stem"), row.text("mark")) }
        _ = try database.rows("DELETE FROM item WHERE \(condition)", values) { _ in true }
        for (n, list, stem, mark) in kept {
            try database.run(
                "INSERT INTO item (n, list, stem, mark) VALUES (?, ?, ?, ?)", .optional(n), .optional(list),
                .optional(stem), .optional(mark))
        }
    }
}
