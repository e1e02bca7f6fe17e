package import Apod
package import Files
import Synchronization

/// The links in the favorites folder, and those that went within a year.
extension Catalog {
    /// Writes into the history, before the transaction is committed.
    package typealias History = @Sendable ([HistoryEntry]) throws(StorageError) -> Void

    /// How long links that went are remembered, in seconds.
    package static let memory = 365 * 86_400

    private static let selection = "SELECT day, album, name, file, is_link, came FROM link WHERE went IS NULL AND"

    package func links(in album: Album) throws(StorageError) -> [Name: [KnownLink]] {
        let links = try all("\(Self.selection) album = ?", .blob(album.path)) { Self.known($0) }
        return Dictionary(grouping: links, by: \.link.place.name)
    }

    package func links(at place: Place) throws(StorageError) -> [KnownLink] {
        try all("\(Self.selection) album = ? AND name = ?", .blob(place.album.path), .blob(Array(place.name.bytes))) {
            Self.known($0)
        }
    }

    package func links(to days: Set<Day>) throws(StorageError) -> [KnownLink] {
        try all(
            "\(Self.selection) day IN (SELECT value FROM json_each(?)) ORDER BY day, album, name", .days(days)
        ) { Self.known($0) }
    }

    package func links() throws(StorageError) -> [Link] {
        try all("SELECT day, album, name, file FROM link WHERE went IS NULL ORDER BY day, album, name") {
            Self.link($0)
        }
    }

    /// The links that went at a moment or later.
    package func removedLinks(since moment: Int = .min) throws(StorageError) -> [RemovedLink] {
        try all(
            "SELECT day, album, name, file, went FROM link WHERE went >= ? ORDER BY day, album, name", .integer(moment)
        ) { row in
            Self.link(row).map { RemovedLink($0, went: row.integer(4) ?? 0) }
        }
    }

    /// The albums that have links.
    package func albums() throws(StorageError) -> Set<Album> {
        let albums = try all("SELECT DISTINCT album FROM link WHERE went IS NULL") { $0.blob(0).flatMap { Album($0) } }
        return Set(albums)
    }

    private static func known(_ row: Database.Row) -> KnownLink? {
        link(row).map { KnownLink($0, isLink: row.integer(4) == 1, came: row.integer(5) ?? 0) }
    }

    /// The link in a row that begins with day, album, name and file.
    static func link(_ row: Database.Row) -> Link? {
        guard let day = row.day, let place = place(row, at: 1) else { return nil }
        return Link(place, to: day, file: row.text(3))
    }

    static func place(_ row: Database.Row, at column: Int32) -> Place? {
        guard let album = row.blob(column).flatMap({ Album($0) }), let name = row.blob(column + 1).flatMap({ Name($0) })
        else { return nil }
        return Place(name, in: album)
    }
}

/// Changes to links and favorites.
extension Catalog {
    package func record(
        _ change: FolderChange, at moment: Int, _ history: History = { _ in }
    ) throws(StorageError) {
        try transaction { database throws(StorageError) in
            var entries: [HistoryEntry] = []
            var known: Set<Day> = []
            try Self.move(change.moved, in: database)
            for (link, isLink) in change.came {
                try Self.write(link, isLink: isLink, came: moment, to: database)
                guard known.insert(link.day).inserted,
                    let kind = try Self.begin(link.day, at: moment, in: database)
                else { continue }
                entries.append(HistoryEntry(kind, link.day, at: moment, link: "\(link.place)"))
            }
            try Self.write(unrecognised: change, to: database)
            if !entries.isEmpty { try history(entries) }
        }
    }

    private static func write(
        _ link: Link, isLink: Bool, came: Int, to database: Database
    ) throws(StorageError) {
        try database.run(
            """
            INSERT INTO link (album, name, day, file, is_link, came) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT DO UPDATE SET file = ?4, is_link = ?5, came = iif(went IS NULL, came, ?6), went = NULL
            """, .blob(link.place.album.path), .blob(Array(link.place.name.bytes)), .day(link.day),
            .optional(link.file), .flag(isLink), .integer(came))
    }

    /// Returns nil for a day that is a favorite already.
    private static func begin(
        _ day: Day, at moment: Int, in database: Database
    ) throws(StorageError) -> HistoryEntry.Kind? {
        let row = try database.first("SELECT ended FROM favorite WHERE day = ?", .day(day)) { row in
            (isFavorite: row.integer(0) == nil, ended: row.integer(0) ?? 0)
        }
        guard let known = row else {
            try database.run("INSERT INTO favorite (day, since) VALUES (?, ?)", .day(day), .integer(moment))
            // Whoever wishes for a day is answered by NASA, and not by what it said before.
            try database.run("UPDATE day SET retry_after = NULL WHERE day = ? AND state = 'absent'", .day(day))
            return .added
        }
        if known.isFavorite { return nil }
        let isRecent = known.ended > moment - memory
        try database.run(
            "UPDATE favorite SET ended = NULL, since = iif(?2, since, ?3) WHERE day = ?1", .day(day),
            .flag(isRecent), .integer(moment))
        return isRecent ? .restored : .added
    }

    private static func write(unrecognised change: FolderChange, to database: Database) throws(StorageError) {
        for (place, why) in change.unrecognised {
            let (album, name) = (Database.Value.blob(place.album.path), Database.Value.blob(Array(place.name.bytes)))
            if let why {
                try database.run(
                    "INSERT OR REPLACE INTO unrecognised VALUES (?, ?, ?)", album, name, .text(why.rawValue))
            } else {
                try database.run("DELETE FROM unrecognised WHERE album = ? AND name = ?", album, name)
            }
        }
    }

    package func record(_ departures: Departures, _ history: History = { _ in }) throws(StorageError) {
        try transaction { database throws(StorageError) in
            let isLink = "WHERE album = ? AND name = ? AND day = ?"
            for link in departures.moved { try database.run("DELETE FROM link \(isLink)", values: Self.key(link)) }
            for one in departures.went {
                try database.run(
                    "UPDATE link SET went = ? \(isLink)", values: [.integer(one.went)] + Self.key(one.link))
            }
            for one in departures.ended {
                try database.run(
                    "UPDATE favorite SET ended = ? WHERE day = ?", .integer(one.went), .day(one.link.day)
                )
            }
            let entries = departures.ended.map {
                HistoryEntry(.removed, $0.link.day, at: $0.went, link: "\($0.link.place)")
            }
            if !entries.isEmpty { try history(entries) }
        }
    }

    private static func key(_ link: Link) -> [Database.Value] {
        [.blob(link.place.album.path), .blob(Array(link.place.name.bytes)), .day(link.day)]
    }

    /// Notes links that the mirror itself has renamed within their albums.
    package func renameLinks(_ renamed: [(link: Link, name: Name)]) throws(StorageError) {
        try transaction { database throws(StorageError) in
            try Self.move(renamed.map { ($0.link, Place($0.name, in: $0.link.place.album)) }, in: database)
        }
    }

    private static func move(_ moved: [(link: Link, to: Place)], in database: Database) throws(StorageError) {
        for (link, place) in moved {
            try database.run(
                "UPDATE OR REPLACE link SET album = ?, name = ? WHERE album = ? AND name = ? AND day = ?",
                values: [.blob(place.album.path), .blob(Array(place.name.bytes))] + Self.key(link))
        }
    }

    /// Forgets links and favorites that ended longer ago than `memory`.
    package func forgetOldLinks(at now: Int) throws(StorageError) {
        let limit = try believed(now) - Self.memory
        let isOld = "FROM link WHERE went < ?"
        guard try first("SELECT 1 \(isOld) LIMIT 1", .integer(limit), row: { _ in true }) != nil else { return }
        try transaction { database throws(StorageError) in
            try database.run("DELETE \(isOld)", .integer(limit))
            try database.run("DELETE FROM favorite WHERE ended < ?", .integer(limit))
        }
    }

    /// Enters the favorites of favorites.json into a new catalog.
    package func recall(_ favorites: [Favorite]) throws(StorageError) {
        try transaction { database throws(StorageError) in
            for favorite in favorites {
                try database.run(
                    "INSERT OR IGNORE INTO favorite (day, since, ended) VALUES (?, ?, ?)",
                    .day(favorite.day), .integer(favorite.added), .optional(favorite.ended))
                for place in favorite.links {
                    let link = Link(place, to: favorite.day, file: favorite.files[place])
                    try Self.write(link, isLink: false, came: favorite.added, to: database)
                }
                for one in favorite.removed {
                    try database.run(
                        """
                        INSERT OR IGNORE INTO link (album, name, day, file, is_link, came, went)
                        VALUES (?, ?, ?, ?, 1, ?, ?)
                        """,
                        values: Self.key(one.link)
                            + [.optional(one.link.file), .integer(favorite.added), .integer(one.went)])
                }
            }
        }
    }
}

extension Database {
    fileprivate func run(_ sql: String, values: [Value]) throws(StorageError) {
        _ = try rows(sql, values) { _ in true }
    }
}
