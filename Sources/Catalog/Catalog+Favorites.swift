package import Apod
package import Files
import Synchronization

extension Catalog {
    /// All favorites, oldest day first.
    package func favorites() throws(StorageError) -> [Favorite] {
        var favorites: [Favorite] = []
        try forEachFavorite(where: "ended IS NULL") { favorites.append($0) }
        return favorites
    }

    /// Calls `body` with all favorites, and then with those that ended within a year, as they are at one moment.
    package func forEachFavoriteAndEnded(_ body: (Favorite) -> Void) throws(StorageError) {
        try forEachFavorite(where: "TRUE", body)
    }

    private func forEachFavorite(where condition: String, _ body: (Favorite) -> Void) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            var favorites = try database.rows(
                """
                SELECT favorite.day, since, stem, title, state,
                    (SELECT type FROM file WHERE file.day = favorite.day ORDER BY role = 'poster', role LIMIT 1), ended
                FROM favorite LEFT JOIN day ON day.day = favorite.day
                WHERE \(condition) ORDER BY ended IS NOT NULL, favorite.day
                """, []
            ) { Self.favorite($0) }[...]
            // There may be very many links.
            while !favorites.isEmpty {
                let portion = favorites.prefix(512)
                favorites = favorites.dropFirst(portion.count)
                let links = Dictionary(grouping: try Self.links(to: portion.map(\.day), in: database), by: \.link.day)
                for favorite in portion { body(favorite.with(links[favorite.day] ?? [])) }
            }
        }
    }

    /// The links that are there, and those that went within a year.
    private static func links(
        to days: [Day], in database: Database
    ) throws(StorageError) -> [(link: Link, went: Int?)] {
        try database.all(
            """
            SELECT day, album, name, file, went FROM json_each(?) JOIN link ON link.day = value
            ORDER BY day, album, name
            """, .days(days)
        ) { row in link(row).map { (link: $0, went: row.integer(4)) } }
    }

    package func favoriteDays() throws(StorageError) -> Set<Day> {
        try days("SELECT day FROM favorite WHERE ended IS NULL")
    }

    private static func favorite(_ row: Database.Row) -> Favorite? {
        row.day.map { day in
            let isPruned = row.text(4) == DayStatus.State.pruned.rawValue
            let name = isPruned ? nil : row.name(stem: 2, type: 5)
            return Favorite(
                day: day, added: row.integer(1) ?? 0, ended: row.integer(6), title: row.text(3),
                picture: name.map { "\(day.folder)/\($0)" })
        }
    }

    /// The first things in the folder that are not understood, and why.
    package func unrecognised(atMost limit: Int) throws(StorageError) -> [(place: Place, why: UnrecognisedReason)] {
        try all("SELECT why, album, name FROM unrecognised ORDER BY album, name LIMIT ?", .integer(limit)) { row in
            Self.place(row, at: 1).map { (place: $0, why: row.text(0).flatMap(UnrecognisedReason.init) ?? .file) }
        }
    }

    /// Why the thing at a place is not understood; nil for other places.
    package func unrecognised(at place: Place) throws(StorageError) -> UnrecognisedReason? {
        try first(
            "SELECT why FROM unrecognised WHERE album = ? AND name = ?", .blob(place.album.path),
            .blob(Array(place.name.bytes))
        ) { $0.text(0).flatMap(UnrecognisedReason.init) ?? .file }
    }

    /// The links to the favorites among some days; nil if there are no favorites among them.
    package func links(toFavoritesAmong days: Set<Day>) throws(StorageError) -> [Place]? {
        let favorites = try among(days, "SELECT day FROM favorite WHERE day BETWEEN ? AND ? AND ended IS NULL")
        return favorites.isEmpty ? nil : try links(to: favorites).map(\.link.place)
    }

    /// Whether a favorite's files are in the tree, as an SQL condition.
    private static let isHere = """
        (stem IS NOT NULL AND state NOT IN ('pruned', 'placeholder') AND (state <> 'failed'
            OR EXISTS (SELECT 1 FROM file WHERE file.day = day.day AND role <> 'poster')))
        """

    /// The favorites to ask for: their day has begun, and its files are not in the tree.
    package func dueFavorites(at now: Int) throws(StorageError) -> Set<Day> {
        try days(
            """
            SELECT favorite.day FROM favorite LEFT JOIN day ON day.day = favorite.day
            WHERE ended IS NULL AND NOT \(Self.isHere) AND favorite.day <= ?2 AND \(RetryPolicy.isDue(at: "?1"))
            """, .integer(now), .day(RetryPolicy.latest(at: now)))
    }

    /// The first favorites whose picture is not here, and what is known of their days.
    package func pendingFavorites(
        atMost limit: Int
    ) throws(StorageError) -> [(day: Day, state: DayStatus.State?, failure: Failure?)] {
        try all(
            """
            SELECT favorite.day, state, failure FROM favorite LEFT JOIN day ON day.day = favorite.day
            WHERE ended IS NULL AND NOT \(Self.isHere) ORDER BY favorite.day LIMIT ?
            """, .integer(limit)
        ) { row in
            row.day.map { (day: $0, state: row.text(1).flatMap(DayStatus.State.init), failure: row.failure(2)) }
        }
    }

    package func favoritesSummary() throws(StorageError) -> FavoritesSummary {
        let counts = try first(
            """
            SELECT count(*) FILTER (WHERE \(Self.isHere)), count(*), (SELECT count(*) FROM unrecognised)
            FROM favorite LEFT JOIN day ON day.day = favorite.day WHERE ended IS NULL
            """
        ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0, $0.integer(2) ?? 0) }
        let (here, all, unrecognised) = counts ?? (0, 0, 0)
        return FavoritesSummary(here: here, pending: all - here, unrecognised: unrecognised)
    }

    /// The last links that went together within a week, each within a minute of the next; nil if they are few. Links that
    /// are back do not count.
    package func loss(at now: Int) throws(StorageError) -> LinkLoss? {
        let counts = try all(
            "SELECT went, count(*) FROM link WHERE went >= ? GROUP BY went ORDER BY went DESC",
            .integer(now - 7 * 86_400)
        ) { (went: $0.integer(0) ?? 0, count: $0.integer(1) ?? 0) }
        guard var loss = counts.first.map({ LinkLoss(links: $0.count, since: $0.went) }) else { return nil }
        for (went, count) in counts.dropFirst() {
            guard let joined = loss.joined(by: LinkLoss(links: count, since: went)) else { break }
            loss = joined
        }
        return loss.isLarge ? loss : nil
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
            guard let day = row.day, let name = row.name(stem: 1, type: 2),
                let sha256 = row.blob(3).flatMap(Digest.init)
            else { return nil }
            return TreeFile(day: day, name: name, sha256: sha256)
        }
    }
}
