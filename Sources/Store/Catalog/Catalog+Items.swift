package import Apod
import Files

/// The items of other lists.
extension Catalog {
    /// All items of a list that were seen.
    package func items(of list: ListName) throws -> [ItemEntry] {
        try all("SELECT id, stem, place, came FROM item WHERE list = ?", .list(list)) { row in
            guard let id = row.text("id"), let name = row.nameOfItem(in: list) else { return nil }
            return ItemEntry(id: id, name: name, place: row.integer("place") ?? 0, came: row.integer("came"))
        }
    }

    /// The newest of the items of a list that count as failed (`summary`), and why.
    package func failing(of list: ListName) throws -> (name: FileName, why: Problem)? {
        let sql = """
            SELECT item.stem, failure FROM item JOIN day ON day.day = item.number
            WHERE item.list = ? AND state = 'failed' AND NOT \(DayStatus.lacksFiles) ORDER BY place DESC LIMIT 1
            """
        return try first(sql, .list(list)) { row in
            row.nameOfItem(in: list).map { ($0, row.failure ?? Problem(.other)) }
        }
    }

    /// The ids of some items.
    func ids(of items: [Day]) throws -> [Day: String] {
        let sql = "SELECT number, id FROM item WHERE number IN (SELECT value FROM json_each(?))"
        let ids = try all(sql, .days(items)) { row in row.day.flatMap { day in row.text("id").map { (day, $0) } } }
        return Dictionary(ids) { $1 }
    }

    /// How an item is called here; nil for one that was not seen.
    func name(ofItem id: String, in list: ListName) throws -> FileName? {
        try first("SELECT stem FROM item WHERE list = ? AND id = ?", .list(list), .text(id)) { $0.nameOfItem(in: list) }
    }

    /// Remembers items as a page of the list has them.
    package func enter(_ items: [ItemEntry], of list: ListName) throws {
        if items.isEmpty { return }
        try transaction { database in
            for item in items { try Self.enter(item, of: list, isSeen: true, to: database) }
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
            SELECT day.list, max(came) AS moment, count(*) AS came, sum(state = 'pruned') AS gone
            FROM day JOIN item ON number = day.day AND id <> '' WHERE fetched IS NOT NULL
            GROUP BY day.list, date(item.came, 'unixepoch', 'localtime') ORDER BY moment DESC LIMIT ?
            """, .integer(limit)
        ) { row in
            row.text("list").flatMap { ListName($0) }.map { list in
                (list, row.integer("moment") ?? 0, row.integer("came") ?? 0, row.integer("gone") ?? 0)
            }
        }
    }

    /// The items of which something is in the tree, the newest last.
    package func storedItems(of list: ListName) throws -> [DayStatus] {
        let orders = try items(of: list).orders
        let items = try storedDays(in: Day.all(of: list)).compactMap { status in
            status.stored.map { (status, orders[status.day] ?? ItemOrder($0.name)) }
        }
        return items.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The items of a list that are older than as many as are to be kept: of those with files and, where some are to come,
    /// of those that were deleted and these. Its cover is none of them.
    package func items(of list: ListName, beyond keep: Int, coming: Set<Day>? = nil) throws -> Set<Day> {
        let here = try days(
            """
            SELECT number FROM item JOIN day ON day.day = number WHERE item.list = ?1
                AND (EXISTS (SELECT 1 FROM file WHERE file.day = item.number) OR ?2 AND state = 'pruned')
            """, .list(list), .flag(coming != nil)
        ).union(coming ?? [])
        var left = keep
        let newest = try items(of: list).filter { !$0.name.isCover }.orders.sorted { $0.value > $1.value }.map(\.key)
        return Set(
            newest.drop { item in
                defer { if here.contains(item) { left -= 1 } }
                return left > 0
            })
    }

    /// The deleted items of a list that are not put off, the newest first. Without a moment, none is put off.
    package func deletedItems(of list: ListName, at moment: Int?) throws -> [Day] {
        let deleted = try days(
            """
            SELECT number FROM item JOIN day ON day.day = number
            WHERE item.list = ?2 AND state <> 'mirrored' AND state = 'pruned'
                AND (\(RetryPolicy.isDue(at: "?1")) OR ?1 IS NULL)
            """, .optional(moment), .list(list))
        if deleted.isEmpty { return [] }
        return try items(of: list).orders.filter { deleted.contains($0.key) }.sorted { $0.value > $1.value }.map(\.key)
    }

    /// The list has these no more: what is here of them waits, and what never came is forgotten.
    package func leave(_ items: Set<Day>, at now: Int) throws {
        for day in items {
            if let status = try status(of: day)?.later(at: now), status.stored != nil {
                try record([Change(status)])
                continue
            }
            try changing([day]) { database in
                try database.run("DELETE FROM item WHERE number = ?", .day(day))
                try database.run("DELETE FROM day WHERE day = ?", .day(day))
            }
        }
    }

    /// `isSeen`: whether the place is that in the list. Else one that is known keeps its own.
    static func enter(_ item: ItemEntry, of list: ListName, isSeen: Bool, to database: Database) throws {
        let change =
            "UPDATE SET number = excluded.number, stem = excluded.stem" + (isSeen ? ", place = excluded.place" : "")
        try database.run(
            "INSERT INTO item VALUES (?, ?, ?, ?, ?5, ?5 / 1000000) ON CONFLICT DO \(change)", .list(list),
            .text(item.id), .day(item.name.day), .text(item.name.stem), .integer(item.place))
    }

    /// The items to ask for: those that were not fetched, or not completely, and are not put off. Without a moment, none
    /// is put off.
    package func dueItems(of list: ListName, at moment: Int?) throws -> Set<Day> {
        try days(
            """
            SELECT number FROM item LEFT JOIN day ON day = number WHERE item.list = ?2 AND state IS NOT 'pruned'
                AND (\(RetryPolicy.isDue(at: "?1")) OR ?1 IS NULL AND state IS NOT 'mirrored')
            """, .optional(moment), .list(list))
    }

    /// The lists of which something is known.
    package func lists() throws -> Set<ListName> {
        Set(
            try all("SELECT DISTINCT list FROM day WHERE day < 0") { $0.text("list").flatMap { ListName($0) } }
        )
    }

    package func knows(_ list: ListName) throws -> Bool {
        let range = Day.all(of: list)
        return try integer(
            "SELECT 1 FROM day WHERE day BETWEEN ? AND ? LIMIT 1", .day(range.lowerBound), .day(range.upperBound))
            != nil
    }

    /// Forgets a list whose folder is gone, which the gallery has to learn. What was replaced in it stays.
    package func forget(_ list: ListName) throws {
        let range = Day.all(of: list)
        try transaction { database in
            for (table, column) in [("day", "day"), ("file", "day"), ("thumbnail", "day"), ("prose", "rowid")] {
                try database.run(
                    "DELETE FROM \(table) WHERE \(column) BETWEEN ? AND ?", .day(range.lowerBound),
                    .day(range.upperBound))
            }
            for table in ["item", "fact"] { try database.run("DELETE FROM \(table) WHERE list = ?", .list(list)) }
            try database.run("DELETE FROM fact WHERE list = 0 AND name = 'gallery'")
        }
    }
}

extension Database.Row {
    fileprivate func nameOfItem(in list: ListName) -> FileName? {
        text("stem").flatMap { FileName(stemOfItem: $0, of: list) }
    }
}
