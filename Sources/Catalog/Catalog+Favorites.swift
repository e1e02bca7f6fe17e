package import Apod
package import Files
import Synchronization

extension Catalog {
    /// Oldest first.
    package func favorites() throws(StorageError) -> [Favorite] { try favorites(after: nil, atMost: .max) }

    /// The first ones after a day, oldest first. Of a great many, not all need to be in memory at once.
    package func favorites(after day: Day?, atMost limit: Int) throws(StorageError) -> [Favorite] {
        try database.withLock { database throws(StorageError) in
            let favorites = try database.all(
                """
                SELECT favorite.day, added, stem, title, state,
                    (SELECT type FROM file WHERE file.day = favorite.day ORDER BY role = 'poster', role LIMIT 1)
                FROM favorite LEFT JOIN day ON day.day = favorite.day
                WHERE favorite.day > ? ORDER BY favorite.day LIMIT ?
                """, .integer(day?.number ?? .min), .integer(limit)
            ) { Self.favorite($0) }.compactMap(\.self)
            guard let first = favorites.first, let last = favorites.last else { return [] }
            let links = try Self.links(in: "link", of: first.day...last.day, database)
            let vanished = try Self.links(in: "vanished", of: first.day...last.day, database)
            return favorites.map { $0.with(links[$0.day.number] ?? [], vanished: vanished[$0.day.number] ?? []) }
        }
    }

    package func favoriteDays() throws(StorageError) -> Set<Day> { try days("SELECT day FROM favorite") }

    static func favorite(_ row: Database.Row, endedAt ended: Int? = nil) -> Favorite? {
        row.day.map { day in
            let isPruned = row.text(4) == DayStatus.State.pruned.rawValue
            let name = isPruned ? nil : row.text(2).flatMap { FileName(day: day, stem: $0) }
            let suffix = row.text(5).flatMap(MediaType.init)?.suffix ?? Metadata.suffix
            var favorite = Favorite(
                day: day, added: row.integer(1) ?? 0, title: row.text(3),
                picture: name.map { "\($0.folder)/\($0.with(suffix))" })
            favorite.ended = ended
            favorite.isAbsent = name == nil && row.text(4) == DayStatus.State.absent.rawValue
            return favorite
        }
    }

    /// By the number of their days.
    private static func links(
        in table: String, of days: ClosedRange<Day>, _ database: Database
    ) throws(StorageError) -> [Int: [Link]] {
        let links = try database.all(
            "SELECT day, album, name, file FROM \(table) WHERE day BETWEEN ? AND ?", .integer(days.lowerBound.number),
            .integer(days.upperBound.number)
        ) { link($0) }
        return Dictionary(grouping: links.compactMap(\.self), by: \.day.number)
    }

    /// Of a row that begins with day, album, name and file.
    static func link(_ row: Database.Row) -> Link? {
        row.day.flatMap { day in place(row, at: 1).map { Link($0, to: day, file: row.text(3)) } }
    }

    static func place(_ row: Database.Row, at column: Int32) -> Place? {
        guard let album = row.blob(column).flatMap({ Album($0) }), let name = row.blob(column + 1).flatMap({ Name($0) })
        else { return nil }
        return Place(name, in: album)
    }

    /// The last changes, newest first.
    package func history(atMost limit: Int = .max) throws(StorageError) -> [HistoryEntry] {
        try all(
            "SELECT day, moment, kind, album, name FROM change ORDER BY rowid DESC LIMIT ?", .integer(limit)
        ) { row in
            guard let day = row.day, let kind = row.text(2).flatMap(HistoryEntry.Kind.init) else { return nil }
            return HistoryEntry(moment: row.integer(1) ?? 0, day: day, kind: kind, place: Self.place(row, at: 3))
        }.compactMap { (change: HistoryEntry?) in change }
    }

    /// What is in the folder without being understood.
    package func unrecognised(atMost limit: Int) throws(StorageError) -> [(place: Place, why: String)] {
        try all(
            "SELECT why, album, name FROM link WHERE day IS NULL ORDER BY album, name LIMIT ?", .integer(limit)
        ) { row in Self.place(row, at: 1).map { ($0, row.text(0) ?? "") } }
        .compactMap { (row: (Place, String)?) in row.map { (place: $0.0, why: $0.1) } }
    }

    /// Of all things that are not recognised for this reason.
    package func places(of meaning: Meaning) throws(StorageError) -> [Place] {
        guard case .unrecognised(let why) = meaning else { return [] }
        return try all("SELECT album, name FROM link WHERE day IS NULL AND why = ?", .text(why)) { row in
            Self.place(row, at: 0)
        }.compactMap(\.self)
    }

    /// The links to those of the days that are favorites; nil if none is.
    package func links(toFavoritesAmong days: Set<Day>) throws(StorageError) -> [Place]? {
        let favorites = try among(days, "SELECT day FROM favorite WHERE day BETWEEN ? AND ?")
        if favorites.isEmpty { return nil }
        return try all("SELECT day, album, name FROM link WHERE day IS NOT NULL") { row in
            row.day.flatMap { favorites.contains($0) ? Self.place(row, at: 1) : nil }
        }.compactMap(\.self)
    }

    /// How many links there are to those of the days that have any.
    package func linkCounts(of days: Set<Day>) throws(StorageError) -> [Day: Int] {
        let counts = try all("SELECT day, count(*) FROM link WHERE day IS NOT NULL GROUP BY day") { row in
            row.day.map { ($0, row.integer(1) ?? 0) }
        }
        return Dictionary(counts.compactMap(\.self).filter { days.contains($0.0) }) { first, _ in first }
    }

    /// Of a favorite, beside its day if there is one.
    private static let isHere = "(stem IS NOT NULL AND state NOT IN ('pruned', 'placeholder'))"

    /// The favorites to ask for: their files are not in the tree. What has not begun is asked for when it has.
    ///
    /// `links`: days that are favorites, too, though nobody has noted it yet.
    package func dueFavorites(at now: Int, and links: Set<Day> = []) throws(StorageError) -> Set<Day> {
        let all = "(SELECT day FROM favorite UNION SELECT value FROM json_each('\(links.map(\.number))')) AS favorite"
        return try days(
            """
            SELECT favorite.day FROM \(links.isEmpty ? "favorite" : all) LEFT JOIN day ON day.day = favorite.day
            WHERE NOT \(Self.isHere) AND favorite.day <= ?2 AND \(RetryPolicy.isDue(at: "?1"))
            """, .integer(now), .integer(RetryPolicy.latest(at: now).number))
    }

    /// The first favorites whose picture is not here, and what is known of their days.
    package func pendingFavorites(
        atMost limit: Int
    ) throws(StorageError) -> [(day: Day, state: DayStatus.State?, reason: String?)] {
        try all(
            """
            SELECT favorite.day, state, reason FROM favorite LEFT JOIN day ON day.day = favorite.day
            WHERE NOT \(Self.isHere) ORDER BY favorite.day LIMIT ?
            """, .integer(limit)
        ) { row in row.day.map { ($0, row.text(1).flatMap(DayStatus.State.init), row.text(2)) } }
        .compactMap { (row: (Day, DayStatus.State?, String?)?) in
            row.map { (day: $0.0, state: $0.1, reason: $0.2) }
        }
    }

    package func favoritesSummary() throws(StorageError) -> FavoritesSummary {
        try database.withLock { database throws(StorageError) in
            var summary = FavoritesSummary()
            let counts = try database.first(
                """
                SELECT count(*) FILTER (WHERE \(Self.isHere)), count(*)
                FROM favorite LEFT JOIN day ON day.day = favorite.day
                """
            ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) }
            summary.here = counts?.0 ?? 0
            summary.pending = (counts?.1 ?? 0) - summary.here
            summary.unrecognised =
                try database.first(
                    """
                    SELECT (SELECT count(*) FROM link WHERE day IS NULL)
                    + coalesce((SELECT value FROM fact WHERE name = 'unlisted'), 0)
                    """
                ) { $0.integer(0) ?? 0 } ?? 0
            summary.vanished =
                try database.first(
                    """
                    SELECT count(DISTINCT day) FROM vanished
                    WHERE day NOT IN (SELECT day FROM link WHERE day IS NOT NULL)
                    """
                ) { $0.integer(0) ?? 0 } ?? 0
            return summary
        }
    }

    /// The files of this size in the tree, JSON among them.
    package func files(ofSize bytes: Int) throws(StorageError) -> [TreeFile] {
        try all(
            """
            SELECT day.day, stem, type, sha256 FROM file JOIN day ON day.day = file.day
            WHERE bytes = ?1 AND stem IS NOT NULL
            UNION ALL SELECT day, stem, NULL, json_sha256 FROM day WHERE json_bytes = ?1
            """, .integer(bytes)
        ) { row -> TreeFile? in
            guard let day = row.day, let name = row.text(1).flatMap({ FileName(day: day, stem: $0) }),
                let sha256 = row.blob(3).flatMap(Digest.init)
            else { return nil }
            let suffix = row.text(2).flatMap(MediaType.init)?.suffix ?? Metadata.suffix
            return TreeFile(day: day, name: name.with(suffix), sha256: sha256)
        }.compactMap(\.self)
    }
}
