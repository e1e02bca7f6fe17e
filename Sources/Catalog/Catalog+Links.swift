internal import Apod
package import Files
import Synchronization

extension Catalog {
    /// What is remembered of the things in a folder.
    package func meanings(in album: Album) throws(StorageError) -> [Name: Meaning] {
        // Of very many links to one file, its name is in memory once.
        var files: [String: String] = [:]
        let rows = try database.withLock { database throws(StorageError) in
            try database.all(
                "SELECT name, day, why, file, is_link FROM link WHERE album = ?", .blob(album.path)
            ) { row in
                Self.meaning(row, &files).flatMap { meaning in row.blob(0).flatMap { Name($0) }.map { ($0, meaning) } }
            }
        }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    package func meaning(of place: Place) throws(StorageError) -> Meaning? {
        try first(
            "SELECT name, day, why, file, is_link FROM link WHERE album = ? AND name = ?",
            .blob(place.album.path), .blob(Array(place.name.bytes))
        ) { row in
            var files: [String: String] = [:]
            return Self.meaning(row, &files)
        } ?? nil
    }

    private static func meaning(_ row: Database.Row, _ files: inout [String: String]) -> Meaning? {
        guard let number = row.integer(1) else { return .unrecognised(row.text(2) ?? "") }
        let file = row.text(3).map { text in
            if let known = files[text] { return known }
            files[text] = text
            return text
        }
        return Day(daysSince1970: number).map { .day($0, file: file, isLink: row.integer(4) == 1) }
    }

    /// Forgets the fingerprints of albums in which nothing is remembered any more, nor in those inside them: there is no
    /// end to the folders that can be made.
    package func forgetEmptyAlbums() throws(StorageError) {
        let empty = """
            FROM album WHERE path <> x'' AND NOT EXISTS (SELECT 1 FROM link WHERE link.album = path)
            AND NOT EXISTS (
                SELECT 1 FROM link
                WHERE link.album > CAST(path || '/' AS BLOB) AND link.album < CAST(path || '0' AS BLOB))
            """
        try database.withLock { database throws(StorageError) in
            // Who writes waits for other writers.
            guard try database.first("SELECT 1 \(empty) LIMIT 1", row: { _ in true }) != nil else { return }
            try database.run("DELETE \(empty)")
        }
    }

    /// What an album was when it was noted.
    package func fingerprint(of album: Album) throws(StorageError) -> String? {
        try first("SELECT mark FROM album WHERE path = ?", .blob(album.path)) { $0.text(0) } ?? nil
    }

    /// The albums of which anything is remembered, with the fingerprints of those that were looked at.
    package func albums() throws(StorageError) -> [Album: String?] {
        try database.withLock { database throws(StorageError) in
            // From each to the next: otherwise, all links in all of them would be read.
            let used = try database.all(
                """
                WITH RECURSIVE used (album) AS (
                    SELECT min(album) FROM link
                    UNION ALL SELECT (SELECT min(album) FROM link WHERE link.album > used.album)
                    FROM used WHERE used.album IS NOT NULL
                ) SELECT album FROM used WHERE album IS NOT NULL
                """
            ) { $0.blob(0).flatMap { Album($0) } }
            let noted = try database.all("SELECT path, mark FROM album") { row in
                row.blob(0).flatMap { Album($0) }.map { ($0, row.text(1)) }
            }
            let fingerprints = Dictionary(noted.compactMap(\.self)) { first, _ in first }
            return fingerprints.merging(used.compactMap(\.self).map { ($0, nil) }) { first, _ in first }
        }
    }

    static func write(_ change: FolderChange, at moment: Int, to database: Database) throws(StorageError) {
        try write(change.seen, at: moment, to: database)
        for link in change.vanished { try setAside(link, at: moment, in: database) }
        for place in change.gone {
            try database.run(
                "DELETE FROM link WHERE album = ? AND name = ?", .blob(place.album.path),
                .blob(Array(place.name.bytes)))
        }
        try noteVanished(change.vanished, at: moment, in: database)
        for (album, fingerprint) in change.fingerprints {
            try database.run("REPLACE INTO album VALUES (?, ?)", .blob(album.path), .text(fingerprint))
        }
    }

    /// Without the links whose removal somebody has asked for since they were found missing.
    static func withoutOrdered(
        _ change: FolderChange, in database: Database
    ) throws(StorageError) -> FolderChange {
        var rest = change
        rest.vanished = []
        for link in change.vanished where try !wasOrdered(toGo: link, in: database) { rest.vanished.append(link) }
        return rest
    }

    private static func wasOrdered(toGo link: Link, in database: Database) throws(StorageError) -> Bool {
        try database.first(
            """
            SELECT 1 FROM removed WHERE album = ?1 AND name = ?2 AND day = ?3 AND run IS NULL
            AND NOT EXISTS (SELECT 1 FROM link WHERE album = ?1 AND name = ?2 AND day = ?3)
            """, .blob(link.place.album.path), .blob(Array(link.place.name.bytes)), .integer(link.day.number)
        ) { _ in true } ?? false
    }

    private static func write(
        _ seen: [(place: Place, meaning: Meaning)], at moment: Int, to database: Database
    ) throws(StorageError) {
        var missed: [String] = []
        for table in ["vanished", "removed"] {
            if try database.first("SELECT 1 FROM \(table) LIMIT 1", row: { _ in true }) != nil { missed.append(table) }
        }
        let days = missed.contains("vanished") ? Set(seen.compactMap(\.meaning.day)) : []
        let linkless = try linkless(among: days, in: database)
        var known: Set<Day> = []
        for (place, meaning) in seen {
            try write(place, meaning, to: database)
            guard let day = meaning.day else { continue }
            if known.insert(day).inserted {
                try add(day, by: place, at: moment, to: database)
                if linkless.contains(day) { try note(.restored, .integer(day.number), place, at: moment, in: database) }
            }
            // It is back.
            for table in missed {
                try database.run(
                    "DELETE FROM \(table) WHERE album = ?1 AND name = ?2 AND day = ?3 AND coalesce(file, ?4) IS ?4",
                    .blob(place.album.path), .blob(Array(place.name.bytes)), .integer(day.number),
                    .optional(meaning.file))
            }
        }
    }

    static func write(_ place: Place, _ meaning: Meaning, to database: Database) throws(StorageError) {
        let why: String? = if case .unrecognised(let why) = meaning { why } else { nil }
        try database.run(
            "REPLACE INTO link (album, name, day, why, file, is_link) VALUES (?, ?, ?, ?, ?, ?)",
            .blob(place.album.path), .blob(Array(place.name.bytes)),
            .optional(meaning.day?.number), .optional(why), .optional(meaning.file),
            .integer(meaning.isLink ? 1 : 0))
    }

    /// Links that are known have other names in their albums now, and nothing else has changed.
    package func renameLinks(_ renamed: [(link: Link, name: Name)]) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for (link, name) in renamed {
                    try database.run(
                        "UPDATE OR REPLACE link SET name = ? WHERE album = ? AND name = ? AND day = ?",
                        .blob(Array(name.bytes)), .blob(link.place.album.path), .blob(Array(link.place.name.bytes)),
                        .integer(link.day.number))
                }
            }
        }
    }

    private static func add(
        _ day: Day, by place: Place, at moment: Int, to database: Database
    ) throws(StorageError) {
        let day = Database.Value.integer(day.number)
        guard try database.first("SELECT 1 FROM favorite WHERE day = ?", day, row: { _ in true }) == nil else { return }
        // Whoever went in this run and is back was there when it began.
        try database.run(
            """
            INSERT INTO favorite SELECT ?1, ?2, coalesce(
                (SELECT min(since) FROM removed WHERE day = ?1 AND run = (SELECT max(number) FROM removal_run)),
                (SELECT max(number) FROM removal_run), 0)
            """, day, .integer(moment))
        try note(.added, day, place, at: moment, in: database)
    }

    static func setAside(_ link: Link, at moment: Int, in database: Database) throws(StorageError) {
        let (album, name) = (
            Database.Value.blob(link.place.album.path), Database.Value.blob(Array(link.place.name.bytes))
        )
        let day = Database.Value.integer(link.day.number)
        try database.run(
            "INSERT OR IGNORE INTO vanished VALUES (?, ?, ?, ?, ?)", album, name, day, .integer(moment),
            .optional(link.file))
        try database.run("DELETE FROM link WHERE album = ? AND name = ? AND day = ?", album, name, day)
    }

    /// The favorites among some days that have no link left.
    private static func linkless(among days: Set<Day>, in database: Database) throws(StorageError) -> Set<Day> {
        if days.isEmpty { return [] }
        // All at once: links are not found by their days.
        let linkless = try database.all(
            """
            SELECT day FROM favorite WHERE day IN (SELECT day FROM vanished)
            AND day NOT IN (SELECT day FROM link WHERE day IS NOT NULL)
            """
        ) { $0.day }
        return days.intersection(linkless.compactMap(\.self))
    }

    /// Of each favorite that has no link left, the last one of these.
    static func noteVanished(_ links: [Link], at moment: Int, in database: Database) throws(StorageError) {
        if links.isEmpty { return }
        // What was told a moment ago is not told twice.
        let told = try database.all(
            "SELECT day FROM change WHERE moment = ? AND kind = 'vanished'", .integer(moment)
        ) { $0.day }.compactMap(\.self)
        let linkless = try linkless(among: Set(links.map(\.day)).subtracting(told), in: database)
        let last = Dictionary(links.map { ($0.day, $0.place) }) { $1 }
        for day in linkless.sorted() {
            try note(.vanished, .integer(day.number), last[day], at: moment, in: database)
        }
    }

    static func note(
        _ kind: HistoryEntry.Kind, _ day: Database.Value, _ place: Place?, at moment: Int, in database: Database
    ) throws(StorageError) {
        try database.run(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?)", .integer(moment), day, .text(kind.rawValue),
            .optional(place?.album.path), .optional(place.map { Array($0.name.bytes) }))
    }
}
