package import Apod
import Files
import Synchronization

/// The index of the tree, in SQLite. It can be made again from the files at any time (`fill`).
///
/// An item of another list has a number below zero in the place of a day. Questions about days take APOD's alone, unless
/// they are asked for a range (`Day.all(of:)`).
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

    /// A day's new status, and its texts for `search` with the days that they lead to; where there are none, the old ones
    /// stay.
    package struct Change: Sendable {
        package var status: DayStatus
        let prose: (title: String, explanation: String, speaksOf: Set<Day>)?
        /// The id of an item.
        let item: String?

        package init(_ status: DayStatus, _ picture: Picture? = nil) {
            self.status = status
            prose = picture.map { (title: $0.title, explanation: $0.explanation, $0.speaksOf) }
            item = picture?.item?.id
        }

        package init(
            _ status: DayStatus, title: String, explanation: String, speaksOf: Set<Day>, item: String? = nil
        ) {
            self.status = status
            prose = (title, explanation, speaksOf)
            self.item = item
        }
    }

    /// Returns the days that look otherwise now: not those that were only put off. `versions`: the former ones of days that
    /// were replaced. `back`: those that are in the tree again.
    @discardableResult
    package func record(
        _ changes: [Change], replacing versions: [FormerVersion] = [], back: [(day: Day, number: Int)] = []
    ) throws -> [Day] {
        try transaction { database in
            var others: [Day] = []
            for change in changes {
                let day = change.status.day
                if change.prose == nil,
                    try Self.statuses(in: day...day, from: database).first?.looks(like: change.status) == true
                {
                    continue
                }
                others.append(day)
            }
            if !others.isEmpty { try Self.outdateGallery(in: database) }
            for change in changes { try Self.write(change, to: database) }
            for version in versions { try Self.enter(version, to: database) }
            for (day, number) in back {
                try database.run("DELETE FROM version WHERE day = ? AND number = ?", .day(day), .integer(number))
            }
            return others
        }
    }

    /// Fills a catalog from the tree in one transaction, and returns the days. `read` returns those of one part; parts are
    /// read on all cores.
    package func fill<Part: Sendable>(
        from parts: [Part], versions: [FormerVersion], _ read: @escaping @Sendable (Part) throws -> [Change]
    ) throws -> [Day] {
        try transaction { database in
            let isEmpty = try database.first("SELECT 1 FROM day LIMIT 1") { _ in true } == nil
            var days: [Day] = []
            // A copied JSON can tell of a day once more.
            var entered: Set<Day> = []
            for version in versions { try Self.enter(version, to: database) }
            try readAhead(parts, read) { changes in
                for change in changes {
                    let isFirst = entered.insert(change.status.day).inserted
                    try Self.write(change, replaces: !isEmpty || !isFirst, to: database)
                    days.append(change.status.day)
                }
            }
            return days
        }
    }

    /// Runs `work` in a transaction, which also marks the gallery as out of date (`Fact.gallery`).
    func changing<Result: Sendable>(
        _ days: some Sequence<Day>, _ work: @Sendable (Database) throws -> Result
    ) throws -> Result {
        let hasDays = days.contains { _ in true }
        return try transaction { database in
            if hasDays { try Self.outdateGallery(in: database) }
            return try work(database)
        }
    }

    private static func outdateGallery(in database: Database) throws {
        try database.run(
            "UPDATE fact SET value = 0 WHERE list = 0 AND name = ? AND value <> 0", .text(Fact.gallery.rawValue))
    }

    func transaction<Result: Sendable>(
        _ work: @Sendable (Database) throws -> Result
    ) throws -> Result {
        try database.withLock { database in
            try database.transaction { try work(database) }
        }
    }

    /// `replaces`: the catalog may know the day.
    static func write(_ change: Change, replaces: Bool = true, to database: Database) throws {
        let status = change.status
        let stored = status.stored
        let day = Database.Value.day(status.day)
        // Without texts, the days that the old ones lead to stay.
        try database.run(
            """
            REPLACE INTO day VALUES
                (?1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, coalesce(?, (SELECT speaks_of FROM day WHERE day = ?1)))
            """,
            day, .optional(stored?.name.list?.description), .text(status.state.rawValue), .integer(status.attempts),
            .optional(status.retryAfter),
            .optional(status.failure?.json.line), .optional(stored?.name.stem), .optional(stored?.title),
            .optional(stored.map { $0.hasText ? 1 : 0 }), .optional(stored?.fetched),
            .optional(stored?.content?.bytes), .integer(stored?.lacks ?? 0), .flag(stored?.isStandIn ?? false),
            .optional(stored?.json.bytes),
            .optional(stored?.jsonBytes), change.prose.map { .days($0.speaksOf) } ?? .null)
        if replaces { try database.run("DELETE FROM file WHERE day = ?", day) }
        for file in stored?.files ?? [] {
            try database.run(
                "INSERT INTO file VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                day, .text(file.role.word), .integer(file.role.number), .text(file.type.rawValue),
                .text(file.address.description), .integer(file.bytes), .blob(file.sha256.bytes),
                .optional(file.width), .optional(file.height), .flag(file.isFormer), .optional(file.alt),
                .flag(file.isRollover), .flag(file.isOfNeighbour), .optional(file.validators?.etag),
                .optional(file.validators?.modified))
        }
        if let item = change.item, let stored, let list = stored.name.list {
            let entry = ItemEntry(id: item, name: stored.name, place: ItemEntry.place(at: stored.fetched))
            try enter(entry, of: list, isSeen: false, to: database)
        }
        try writeProse(of: change, replaces, to: database)
    }

    private static func writeProse(of change: Change, _ replaces: Bool, to database: Database) throws {
        guard let prose = change.prose else { return }
        let day = Database.Value.day(change.status.day)
        if replaces { try database.run("DELETE FROM prose WHERE rowid = ?", day) }
        try database.run(
            "INSERT INTO prose (rowid, title, explanation) VALUES (?, ?, ?)", day, .text(prose.title),
            .text(prose.explanation))
    }

    package func status(of day: Day) throws -> DayStatus? { try statuses(in: day...day).first }

    /// All that is known of the days in a range, oldest first.
    package func statuses(in range: ClosedRange<Day>) throws -> [DayStatus] {
        try database.withLock { database in try Self.statuses(in: range, from: database) }
    }

    private static func statuses(in range: ClosedRange<Day>, from database: Database) throws -> [DayStatus] {
        let ends = [Database.Value.day(range.lowerBound), .day(range.upperBound)]
        let files = try database.rows("SELECT * FROM file WHERE day BETWEEN ? AND ?", ends) { $0.file }
        let byDay = Dictionary(grouping: files, by: \.day).mapValues { $0.map(\.file) }
        return try database.rows("SELECT * FROM day WHERE day BETWEEN ? AND ? ORDER BY day", ends) {
            $0.status(files: byDay[$0.integer("day") ?? 0] ?? [])
        }
    }

    /// All days of which something is in the tree, oldest first.
    package func storedDays(in range: ClosedRange<Day> = Day.all) throws -> [DayStatus] {
        try statuses(in: range).filter { $0.stored != nil }
    }

    /// The days in a range without a row, and those that owe something and are not put off. Without a moment, no day is put
    /// off.
    package func gaps(in range: ClosedRange<Day>, at moment: Int? = nil) throws -> Set<Day> {
        var settled = try all(
            """
            SELECT day FROM day WHERE day BETWEEN ?1 AND ?2
                AND NOT (\(RetryPolicy.isDue(at: "?3")) OR ?3 IS NULL AND \(DayStatus.isOwing)) ORDER BY day
            """, .day(range.lowerBound), .day(range.upperBound), .optional(moment)
        ) { $0.day }[...]
        return Set(
            range.filter { day in
                let isGap = settled.first != day
                if !isGap { settled.removeFirst() }
                return isGap
            })
    }

    /// The days of which something is in the tree.
    package func present(among days: Set<Day>) throws -> Set<Day> {
        try among(days, "SELECT day FROM day WHERE day BETWEEN ? AND ? AND stem IS NOT NULL")
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
            SELECT day FROM day WHERE day > 0 AND (state = 'failed' OR lacks > 0 OR is_stand_in) AND state <> 'pruned'
                AND (\(RetryPolicy.isDue(at: "?1")) OR ?2 AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day))
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
        try among(days, "SELECT day FROM day WHERE day BETWEEN ? AND ? AND is_stand_in AND state = 'mirrored'")
    }

    /// Some days with files that another mirror gave, and that were not compared with NASA's.
    package func daysOfNeighbours(atMost count: Int) throws -> [Day] {
        try all("SELECT DISTINCT day FROM file WHERE neighbour ORDER BY random() LIMIT ?", .integer(count)) { $0.day }
    }

    /// The newest day of which something is in the tree.
    package func newest() throws -> Day? {
        try day("SELECT day FROM day WHERE day > 0 AND stem IS NOT NULL ORDER BY day DESC LIMIT 1")
    }

    /// The newest day in the tree that is neither failed nor a placeholder.
    package func newestComplete() throws -> Day? {
        try day(
            """
            SELECT day FROM day WHERE day > 0 AND stem IS NOT NULL AND state NOT IN ('failed', 'placeholder')
            ORDER BY day DESC LIMIT 1
            """)
    }

    package func oldest(from limit: Day = .first) throws -> Day? {
        try first("SELECT day FROM day WHERE stem IS NOT NULL AND day >= ? ORDER BY day LIMIT 1", .day(limit)) {
            $0.day
        }
    }

    /// The number of days in the tree before `limit`.
    package func countDays(before limit: Day) throws -> Int {
        try integer("SELECT count(json_bytes) FROM day WHERE day > 0 AND day < ?", .day(limit)) ?? 0
    }

    /// Whether a day has its picture, video or page, as an SQL condition on the table `day`.
    static let hasMain =
        "EXISTS (SELECT 1 FROM file WHERE file.day = day.day AND role NOT IN ('poster', 'also'))"

    /// The type of the file to look at, as an SQL expression on the table `day`.
    static let firstType = """
        (SELECT type FROM file WHERE file.day = day.day AND role <> 'also' ORDER BY role = 'poster', role LIMIT 1)
        """

    /// The newest day with a picture or a poster, before `limit` if that is given.
    package func newestImage(before limit: Day? = nil, type: MediaType? = nil) throws -> DayStatus? {
        let newest = try first(
            "SELECT day FROM file WHERE type LIKE ? AND day > 0 AND day < ? AND role <> 'also' ORDER BY day DESC LIMIT 1",
            .text(type?.rawValue ?? "image/%"), .integer(limit?.number ?? .max)
        ) { $0.day }
        guard let newest else { return nil }
        return try status(of: newest)
    }

    var hasMoved: Bool { database.withLock(\.hasMoved) }

    package func releaseMemory() {
        database.withLock { $0.releaseMemory() }
    }

    /// Throws if the database is damaged.
    package func check() throws {
        try database.withLock { database in try database.check() }
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

    func first<Result: Sendable>(
        _ sql: String, _ values: Database.Value..., row: @Sendable (Database.Row) -> Result?
    ) throws -> Result? {
        try database.withLock { database in try database.rows(sql, values, row).first }
    }
}
