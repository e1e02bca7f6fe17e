package import Apod
import Files
import Synchronization

/// The index of the tree, in SQLite. It can be made again from the files at any time (`fill`).
///
/// `Database` runs all SQL, `Schema` makes the tables (schema.sql), `CatalogFiles` sets who may open the files. Each
/// `Catalog+…` has the queries on one subject, `Values` what they return. `RetryPolicy`: when to ask for a day again.
package final class Catalog: Sendable {
    let database: Mutex<Database>
    /// The writer's lock, released after `database`.
    private let lock: (any Sendable)?

    /// Opens a catalog for writing, or makes it. `lock` ends with the catalog.
    package init(path: String, under lock: (any Sendable)? = nil) throws {
        let database = try Database(path, .write)
        try Schema.open(database)
        self.database = Mutex(database)
        self.lock = lock
    }

    package init(toRead path: String) throws {
        let database = try Database(path, .read)
        try Schema.recognise(database)
        self.database = Mutex(database)
        lock = nil
    }

    /// Makes an empty catalog in memory; errors name `path`.
    package init(insteadOf path: String) throws {
        let database = try Database(path, .inMemory)
        try Schema.open(database)
        self.database = Mutex(database)
        lock = nil
    }

    /// What is known of an item from now on, and its texts for `search` with the days that they lead to; where there are
    /// none, the old ones stay.
    package struct Update: Sendable {
        package var item: Item
        let prose: (title: String, explanation: String, speaksOf: Set<Day>)?

        package init(_ item: Item, _ picture: Picture? = nil) {
            self.item = item
            prose = picture.map { (title: $0.title, explanation: $0.explanation, $0.speaksOf) }
        }

        package init(_ item: Item, title: String, explanation: String, speaksOf: Set<Day>) {
            (self.item, prose) = (item, (title, explanation, speaksOf))
        }
    }

    /// Returns the keys that look otherwise now: not those that were only put off. `versions`: the former ones of items that
    /// were replaced. `back`: those that are in the tree again.
    @discardableResult
    package func record(
        _ updates: [Update], replacing versions: [FormerVersion] = [], back: [(key: Key, number: Int)] = []
    ) throws -> [Key] {
        try transaction { database in
            var others: [Key] = []
            for update in updates {
                let key = update.item.key
                if update.prose == nil, try Self.item(of: key, from: database)?.looks(like: update.item) == true {
                    continue
                }
                others.append(key)
            }
            if !others.isEmpty { try Self.outdateGallery(in: database) }
            for update in updates { try Self.write(update, to: database) }
            for version in versions { try Self.enter(version, to: database) }
            for (key, number) in back {
                try database.run("DELETE FROM version WHERE n = ? AND number = ?", .key(key), .integer(number))
            }
            return others
        }
    }

    /// Fills a catalog from the tree in one transaction, and returns the keys. `read` returns those of one part; parts are
    /// read on all cores.
    package func fill<Part: Sendable>(
        from parts: [Part], versions: [FormerVersion], _ read: @escaping @Sendable (Part) throws -> [Update]
    ) throws -> [Key] {
        try transaction { database in
            let isEmpty = try database.first("SELECT 1 FROM item LIMIT 1") { _ in true } == nil
            var keys: [Key] = []
            // A copied JSON can tell of a day once more.
            var entered: Set<Key> = []
            for version in versions { try Self.enter(version, to: database) }
            try readAhead(parts, read) { updates in
                for update in updates {
                    let isFirst = entered.insert(update.item.key).inserted
                    try Self.write(update, replaces: !isEmpty || !isFirst, to: database)
                    keys.append(update.item.key)
                }
            }
            return keys
        }
    }

    /// Runs `work` in a transaction, which also marks the gallery as out of date (`Fact.gallery`).
    func changing<Result: Sendable>(
        _ keys: some Collection<Key>, _ work: @Sendable (Database) throws -> Result
    ) throws -> Result {
        let isNone = keys.isEmpty
        return try transaction { database in
            if !isNone { try Self.outdateGallery(in: database) }
            return try work(database)
        }
    }

    private static func outdateGallery(in database: Database) throws {
        try database.run(
            "UPDATE fact SET value = 0 WHERE list = '' AND name = ? AND value <> 0", .text(Fact.gallery.rawValue))
    }

    func transaction<Result: Sendable>(
        _ work: @Sendable (Database) throws -> Result
    ) throws -> Result {
        try database.withLock { database in
            try database.transaction { try work(database) }
        }
    }

    /// `replaces`: the catalog may know the item.
    static func write(_ update: Update, replaces: Bool = true, to database: Database) throws {
        let (item, number) = (update.item, try database.numbered(update.item.key))
        let n = Database.Value.integer(number)
        let speaksOf = update.prose.map { Database.Value.days($0.speaksOf) } ?? .null
        try database.run(ItemRow.write, [n] + ItemRow.columns.map { $0.value(item) } + [speaksOf])
        if replaces { try database.run("DELETE FROM file WHERE n = ?", n) }
        for file in item.stored?.files ?? [] {
            try database.run(FileRow.write, [n, .list(item.key.list)] + FileRow.columns.map { $0.value(file) })
        }
        guard let prose = update.prose else { return }
        if let entry = item.entry { try enter(entry, isSeen: false, to: database) }
        if replaces { try database.run("DELETE FROM prose WHERE rowid = ?", n) }
        try database.run(
            "INSERT INTO prose (rowid, title, explanation) VALUES (?, ?, ?)", n, .text(prose.title),
            .text(prose.explanation))
    }

    /// nil: nothing is known of it.
    package func item(of key: Key) throws -> Item? {
        try database.withLock { database in try Self.item(of: key, from: database) }
    }

    private static func item(of key: Key, from database: Database) throws -> Item? {
        guard let number = try database.number(of: key) else { return nil }
        return try items("n = ?", [.integer(number)], from: database).first
    }

    /// All that is known of some items, in the order of their rows: the oldest day first.
    package func items(in scope: Scope) throws -> [Item] {
        try items(scope.sql(), scope.values)
    }

    /// Those of which a condition on `n` holds.
    func items(_ condition: String, _ values: [Database.Value]) throws -> [Item] {
        try database.withLock { database in try Self.items(condition, values, from: database) }
    }

    private static func items(
        _ condition: String, _ values: [Database.Value], from database: Database
    ) throws -> [Item] {
        let files = try database.rows("SELECT * FROM file WHERE \(condition)", values) { $0.file }
        let byItem = Dictionary(grouping: files, by: \.n).mapValues { $0.map(\.file) }
        return try database.rows("SELECT * FROM item WHERE \(condition) ORDER BY n", values) {
            $0.item(files: byItem[$0.integer("n") ?? 0] ?? [])
        }
    }

    /// The key that has this mark, where it is known.
    package func key(marked mark: String) throws -> Key? {
        if let day = Day(mark) { return .day(day) }
        return try first("SELECT n FROM item WHERE mark = ?", .text(mark)) { $0.key }
    }

    /// Those of which something is in the tree.
    package func stored(in scope: Scope) throws -> [Item] {
        try items(in: scope).filter { $0.stored != nil }
    }

    /// The days in a range without a row, and those that owe something and are not put off. Without a moment, no day is put
    /// off.
    package func gaps(in range: ClosedRange<Day>, at moment: Int? = nil) throws -> Set<Day> {
        let days = [Database.Value.day(range.lowerBound), .day(range.upperBound)]
        // Reading indexes is much faster than reading the table, and few days are anything but mirrored and whole.
        var settled = Set(
            try all(
                """
                SELECT n FROM item INDEXED BY stored WHERE list = '' AND \(Item.isStored) AND n BETWEEN ?1 AND ?2
                """, values: days
            ) { $0.day })
        let others = try all(
            """
            SELECT n, \(Item.isDue(at: "?3")) OR ?3 IS NULL AND \(Item.isOwing) AS due FROM item
            WHERE n BETWEEN ?1 AND ?2 AND n IN (
                SELECT n FROM item INDEXED BY unsettled WHERE list = '' AND state <> 'mirrored'
                UNION SELECT n FROM item INDEXED BY owing
                    WHERE list = '' AND \(Item.isIndexedAsOwing))
            """, values: days + [.optional(moment)]
        ) { row in row.day.map { ($0, row.integer("due") == 1) } }
        for (day, isDue) in others { if isDue { settled.remove(day) } else { settled.insert(day) } }
        return Set(range.filter { !settled.contains($0) })
    }

    /// The days of which something is in the tree.
    package func present(among days: Set<Day>) throws -> Set<Day> {
        try among(days, "SELECT n FROM item WHERE n BETWEEN ? AND ? AND \(Item.isStored)")
    }

    /// The days among these that `sql` finds between the first and the last of them.
    func among(_ days: Set<Day>, _ sql: String) throws -> Set<Day> {
        guard let first = days.min(), let last = days.max() else { return [] }
        return days.intersection(try self.days(sql, .day(first), .day(last)))
    }

    /// The days of any date that failed, lack a file or have a record that stands in, and are not put off. `isAsked`: also
    /// those that are put off and have files.
    func owing(isAsked: Bool = false, at moment: Int) throws -> Set<Day> {
        try days(
            """
            SELECT n FROM item WHERE list = '' AND \(Item.isIndexedAsOwing) AND state <> 'pruned'
                AND (\(Item.isDue(at: "?1")) OR ?2 AND \(Item.hasFiles))
            """, .integer(moment), .flag(isAsked))
    }

    /// The days to ask for: the `gaps` in a range, and those `owing` something from `first` to its end.
    package func due(
        in range: ClosedRange<Day>, failedSince first: Day = .first, isAsked: Bool = false, at moment: Int
    ) throws -> Set<Day> {
        let owing = try owing(isAsked: isAsked, at: moment)
        return try gaps(in: range, at: moment).union(owing.filter { first <= $0 && $0 <= range.upperBound })
    }

    /// The days among these that have all files, and a record that stands in.
    package func standIns(among days: Set<Day>) throws -> Set<Day> {
        try among(days, "SELECT n FROM item WHERE n BETWEEN ? AND ? AND is_stand_in AND state = 'mirrored'")
    }

    /// Some days with files that another mirror gave, and that were not compared with NASA's.
    package func daysOfNeighbours(atMost count: Int) throws -> [Day] {
        try all("SELECT DISTINCT n FROM file WHERE neighbour ORDER BY random() LIMIT ?", .integer(count)) { $0.day }
    }

    /// The newest day of which something is in the tree.
    package func newest() throws -> Day? {
        try day("SELECT n FROM item WHERE list = '' AND \(Item.isStored) ORDER BY n DESC LIMIT 1")
    }

    /// The newest day in the tree that is neither failed nor a placeholder.
    package func newestComplete() throws -> Day? {
        try day(
            """
            SELECT n FROM item WHERE list = '' AND \(Item.isStored) AND state NOT IN ('failed', 'placeholder')
            ORDER BY n DESC LIMIT 1
            """)
    }

    package func oldest(from limit: Day = .first) throws -> Day? {
        let sql = "SELECT n FROM item WHERE list = '' AND \(Item.isStored) AND n >= ? ORDER BY n LIMIT 1"
        return try first(sql, .day(limit)) { $0.day }
    }

    /// The number of days in the tree before `limit`.
    package func countDays(before limit: Day) throws -> Int {
        try integer(
            "SELECT count(json_bytes) FROM item WHERE list = '' AND \(Item.isStored) AND n < ?", .day(limit)) ?? 0
    }

    /// The type of the file to look at, as an SQL expression on the table `item`.
    static let firstType = """
        (SELECT type FROM file WHERE file.n = item.n AND role <> 'also' ORDER BY role = 'poster', role LIMIT 1)
        """

    /// The newest day with a picture or a poster, before `limit` if that is given.
    package func newestImage(before limit: Day? = nil, type: MediaType? = nil) throws -> Item? {
        let newest = try first(
            "SELECT n FROM file WHERE type LIKE ? AND n < ? AND role <> 'also' ORDER BY n DESC LIMIT 1",
            .text(type?.rawValue ?? "image/%"), .integer(limit?.number ?? Day.last.number + 1)
        ) { $0.day }
        return try newest.flatMap { try item(of: .day($0)) }
    }

    var hasMoved: Bool { database.withLock(\.hasMoved) }

    package func releaseMemory() {
        database.withLock { $0.releaseMemory() }
    }

    /// Throws if the database is damaged.
    package func check() throws {
        try database.withLock { database in try database.check() }
    }

    func keys(_ sql: String, _ values: Database.Value...) throws -> Set<Key> {
        Set(try database.withLock { database in try database.rows(sql, values) { $0.key } })
    }

    func days(_ sql: String, _ values: Database.Value...) throws -> Set<Day> {
        let days = try database.withLock { database in try database.rows(sql, values) { $0.day } }
        return Set(days)
    }

    func day(_ sql: String) throws -> Day? { try first(sql) { $0.day } }

    /// The number that a query asks for.
    func integer(_ sql: String, _ values: Database.Value...) throws -> Int? {
        try database.withLock { database in
            try database.rows(sql, values) { $0.integer(0) }.first
        }
    }

    func all<Result: Sendable>(
        _ sql: String, _ values: Database.Value..., row: @Sendable (Database.Row) -> Result?
    ) throws -> [Result] {
        try database.withLock { database in try database.rows(sql, values, row) }
    }

    func all<Result: Sendable>(
        _ sql: String, values: [Database.Value], row: @Sendable (Database.Row) -> Result?
    ) throws -> [Result] {
        try database.withLock { database in try database.rows(sql, values, row) }
    }

    func first<Result: Sendable>(
        _ sql: String, _ values: Database.Value..., row: @Sendable (Database.Row) -> Result?
    ) throws -> Result? {
        try database.withLock { database in try database.rows(sql, values, row).first }
    }
}
