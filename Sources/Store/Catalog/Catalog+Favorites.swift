package import Apod
import Files
import Synchronization

/// What is here of favorites.
extension Catalog {
    /// The titles of some keys, and the file of each to look at (or the JSON alone), below the root; nil for a picture
    /// that is not here.
    package func faces(of keys: some Sequence<Key>) throws -> [Key: (title: String?, picture: String?)] {
        let faces = try all(
            of: keys,
            "SELECT n, list, stem, title, state, \(Self.firstType) AS type FROM json_each(?1) JOIN item ON n = value"
        ) { row -> (Key, (title: String?, picture: String?))? in
            guard let name = row.fileName else { return nil }
            let isPruned = row.text("state") == Item.State.pruned.rawValue
            let file = isPruned ? nil : row.file(of: name)
            return (name.key, (title: row.text("title"), picture: file.map { name.path(of: $0) }))
        }
        return Dictionary(faces) { first, _ in first }
    }

    /// The ids that lists give to some of their items, as far as they are known.
    package func ids(of keys: some Sequence<Key>) throws -> [Key: String] {
        let items = keys.filter { $0.list != nil }
        if items.isEmpty { return [:] }
        let ids = try all(
            of: items, "SELECT n, item.id FROM json_each(?1) JOIN item ON n = value WHERE item.id IS NOT NULL"
        ) { row in
            row.key.flatMap { key in row.text("id").map { (key, $0) } }
        }
        return Dictionary(ids) { $1 }
    }

    /// Runs a query whose `?1` is the numbers of some keys, for `json_each`; 0 for one that has no row.
    func all<Result: Sendable>(
        of keys: some Sequence<Key>, _ sql: String, _ values: Database.Value...,
        row: @Sendable (Database.Row) -> Result?
    ) throws -> [Result] {
        let keys = Array(keys)
        return try database.withLock { database in
            let numbers = try keys.map { try database.number(of: $0) ?? 0 }
            return try database.rows(sql, [.numbers(numbers)] + values, row)
        }
    }

    /// How an item of another mirror is called here; nil where it is called so, and for one that was not seen.
    package func calledHere(_ key: Key, id: String?) throws -> Key? {
        guard let list = key.list, let id, let here = try self.key(ofItem: id, in: list), here != key else {
            return nil
        }
        return here
    }

    private func key(ofItem id: String, in list: ListName) throws -> Key? {
        try first("SELECT n FROM item WHERE list = ? AND id = ?", .list(list), .text(id)) { $0.key }
    }

    /// The favorites to ask for: their day has begun, and its files are not in the tree.
    package func due(among favorites: Set<Day>, at now: Int) throws -> Set<Day> {
        try days(
            """
            SELECT value FROM json_each(?2) LEFT JOIN item ON n = value
            WHERE NOT \(Item.isHere) AND value <= ?3 AND \(Item.isDue(at: "?1"))
            """, .integer(now), .days(favorites), .day(RetryPolicy.latest(at: now)))
    }

    /// The favorites whose picture is not here, and what is known of them.
    package func pending(among favorites: Set<Key>) throws -> [Item] {
        let keys = favorites.sorted()
        // json_each calls an element's place `key`.
        let away = try all(
            of: keys,
            "SELECT key, item.n FROM json_each(?1) LEFT JOIN item ON n = value WHERE NOT \(Item.isHere) ORDER BY key"
        ) { row in row.integer(0).map { (key: keys[$0], n: row.integer("n")) } }
        let numbers = Database.Value.numbers(away.compactMap(\.n))
        let known = try items("n IN (SELECT value FROM json_each(?))", [numbers])
        let byKey = Dictionary(known.map { ($0.key, $0) }) { first, _ in first }
        return away.map { byKey[$0.key] ?? Item($0.key) }
    }

    /// Ends the pause of days that NASA did not have: whoever wishes for a day is answered by NASA, and not by what it said
    /// before.
    package func askAgain(for days: Set<Day>) throws {
        if days.isEmpty { return }
        try database.withLock { database in
            try database.run(
                """
                UPDATE item SET retry_after = NULL
                WHERE state = 'absent' AND n IN (SELECT value FROM json_each(?))
                """, .days(days))
        }
    }

    /// The files of this size in the tree, JSON among them.
    package func files(ofSize bytes: Int) throws -> [TreeFile] {
        try items(
            "n IN (SELECT n FROM file WHERE bytes = ? UNION SELECT n FROM item WHERE json_bytes = ?)",
            [.integer(bytes), .integer(bytes)]
        ).flatMap { $0.stored?.all.filter { $0.bytes == bytes } ?? [] }
    }
}
