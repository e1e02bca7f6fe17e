package import Apod
package import Files
import Synchronization

/// Links that stayed away.
package struct Removals: Sendable {
    /// What that means for what is remembered of the folder.
    package var change = FolderChange()
    /// Those that went for good.
    package var links: [Link] = []
    /// Those that somebody asked to be removed: that was meant, however many they are.
    package var ordered: [Link] = []
    /// Whose favorites may have ended; nil for all but the `others`.
    package var days: Set<Day>?
    /// They have lost links, too, which may come back.
    package var others: Set<Day>

    package init(of days: Set<Day>?, sparing others: Set<Day> = []) { (self.days, self.others) = (days, others) }

    fileprivate func mayEnd(_ day: Day) -> Bool { (days?.contains(day) ?? true) && !others.contains(day) }
}

extension Catalog {
    /// More are not remembered.
    private static let mostRemoved = 200_000

    /// The one that was begun last.
    package func removalRun() throws(StorageError) -> RemovalRun? {
        try database.withLock { database throws(StorageError) in try Self.run(in: database) }
    }

    /// Ends the favorites whose last links these were; unless it is a loss, then none of them ends, and those that did
    /// before in the same run are favorites again. `last`: when the last of them went. Returns how many links have vanished.
    @discardableResult
    package func record(_ removals: Removals, last: Int, at moment: Int) throws(StorageError) -> Int {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                let change = try Self.withoutOrdered(removals.change, in: database)
                try Self.write(change, at: moment, to: database)
                try Self.note(ordered: removals.ordered, at: moment, in: database)
                var vanished = change.vanished.count
                if !removals.links.isEmpty {
                    vanished += try Self.record(removals.links, last: last, at: moment, in: database)
                }
                let places = Dictionary((removals.ordered + removals.links).map { ($0.day, $0.place) }) { first, _ in
                    first
                }
                try Self.drop(.removed, places: places, at: moment, in: database, where: removals.mayEnd)
                return vanished
            }
        }
    }

    /// Whoever has found them gone already may have taken that for a loss.
    private static func note(
        ordered links: [Link], at moment: Int, in database: Database
    ) throws(StorageError) {
        var wereLost = false
        for link in links {
            try note(link, of: nil, at: moment, in: database)
            let row: [Database.Value] = [
                .blob(link.place.album.path), .blob(Array(link.place.name.bytes)), .integer(link.day.number),
            ]
            let vanished = "FROM vanished WHERE album = ? AND name = ? AND day = ?"
            guard try database.first("SELECT 1 \(vanished)", row[0], row[1], row[2], row: { _ in true }) == true else {
                continue
            }
            try database.run("DELETE \(vanished)", row[0], row[1], row[2])
            wereLost = true
        }
        // What goes next is no part of that loss.
        if wereLost { try beginRun(in: database) }
    }

    private static func record(
        _ links: [Link], last: Int, at moment: Int, in database: Database
    ) throws(StorageError) -> Int {
        if try run(in: database) == nil { try beginRun(in: database) }
        guard var run = try run(in: database) else { return 0 }
        for link in links { try note(link, of: run, at: moment, in: database) }
        let (gone, alsoGone) = try favoritesGone(in: run, database)
        run.noteRemovals(gone: gone, alsoGone: alsoGone, at: last)
        try write(run, to: database)
        return run.isLoss ? try bringBack(run, at: moment, in: database) : 0
    }

    /// The favorites have been lost as a whole: so have those that the run had ended. Returns how many links have
    /// vanished by that.
    static func lose(at moment: Int, in database: Database) throws(StorageError) -> Int {
        guard var run = try run(in: database) else { return 0 }
        run.becomeLoss(at: moment)
        try write(run, to: database)
        return try bringBack(run, at: moment, in: database)
    }

    /// Links that vanished have been made again, perhaps by other names. What goes next is no part of any loss.
    package func restore(_ links: [Link]) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                for link in links {
                    try database.run(
                        """
                        DELETE FROM vanished WHERE album = ?1 AND name = ?2 AND day = ?3
                        AND ?3 IN (SELECT day FROM link WHERE day IS NOT NULL)
                        """, .blob(link.place.album.path), .blob(Array(link.place.name.bytes)),
                        .integer(link.day.number))
                }
                try Self.beginRun(in: database)
            }
        }
    }

    /// Confirms that links that vanished are meant to be gone: those of some days, or all. Returns whose they were.
    package func forget(_ days: Set<Day>?, at moment: Int) throws(StorageError) -> Set<Day> {
        try database.withLock { database throws(StorageError) in
            try database.transaction { () throws(StorageError) in
                let links = try Self.links(in: .vanished, database).filter { days?.contains($0.day) ?? true }
                let places = Dictionary(links.map { ($0.day, $0.place) }) { first, _ in first }
                if links.isEmpty { return [] }
                for link in links { try Self.note(link, of: nil, at: moment, in: database) }
                for day in places.keys { try database.run("DELETE FROM vanished WHERE day = ?", .integer(day.number)) }
                try Self.drop(.forgotten, places: places, at: moment, in: database) { places[$0] != nil }
                try Self.beginRun(in: database)
                return Set(places.keys)
            }
        }
    }
}

/// A step of a transaction each.
extension Catalog {
    private static func run(in database: Database) throws(StorageError) -> RemovalRun? {
        try database.first("SELECT number, there, last, is_loss FROM removal_run ORDER BY number DESC LIMIT 1") { row in
            RemovalRun(
                number: row.integer(0) ?? 0, there: row.integer(1) ?? 0, last: row.integer(2),
                isLoss: row.integer(3) == 1)
        }
    }

    /// What goes from now on has nothing to do with what went before.
    static func beginRun(in database: Database) throws(StorageError) {
        try database.script(
            """
            INSERT INTO removal_run (there, is_loss) SELECT count(*), 0 FROM favorite
                WHERE day NOT IN (SELECT day FROM vanished) OR day IN (SELECT day FROM link WHERE day IS NOT NULL);
            DELETE FROM removal_run WHERE number < (SELECT max(number) FROM removal_run);
            """)
    }

    private static func write(_ run: RemovalRun, to database: Database) throws(StorageError) {
        try database.run(
            "REPLACE INTO removal_run VALUES (?, ?, ?, ?)", .integer(run.number), .integer(run.there),
            .optional(run.last), .integer(run.isLoss ? 1 : 0))
    }

    /// `run`: nil if that is what somebody asked for.
    private static func note(
        _ link: Link, of run: RemovalRun?, at moment: Int, in database: Database
    ) throws(StorageError) {
        try database.run(
            "REPLACE INTO removed SELECT ?, ?, ?, ?, day, ?, added, since FROM favorite WHERE day = ?",
            .optional(run?.number), .integer(moment), .blob(link.place.album.path), .blob(Array(link.place.name.bytes)),
            .optional(link.file), .integer(link.day.number))
    }

    /// Of those that were there when it began, and of those that came since.
    private static func favoritesGone(
        in run: RemovalRun, _ database: Database
    ) throws(StorageError) -> (gone: Int, alsoGone: Int) {
        try database.first(
            """
            SELECT count(*) FILTER (WHERE since < ?1), count(*) FILTER (WHERE since = ?1) FROM (
                SELECT min(since) AS since FROM removed WHERE run = ?1
                AND day NOT IN (SELECT day FROM link WHERE day IS NOT NULL) GROUP BY day
            )
            """, .integer(run.number)
        ) { ($0.integer(0) ?? 0, $0.integer(1) ?? 0) } ?? (0, 0)
    }

    /// What went in a run has vanished, and is not removed.
    private static func bringBack(
        _ run: RemovalRun, at moment: Int, in database: Database
    ) throws(StorageError) -> Int {
        let number = Database.Value.integer(run.number)
        let count = try database.first("SELECT count(*) FROM removed WHERE run = ?", number) { $0.integer(0) ?? 0 }
        // There may be very many links, but not days.
        let links = try database.all("SELECT day, album, name, file FROM removed WHERE run = ? GROUP BY day", number) {
            Self.link($0)
        }.compactMap(\.self)
        try database.run(
            """
            INSERT OR IGNORE INTO vanished SELECT album, name, day, moment, file FROM removed WHERE run = ?
            """, number)
        var favorites: [Link] = []
        for link in links {
            let day = Database.Value.integer(link.day.number)
            if try database.first("SELECT 1 FROM favorite WHERE day = ?", day, row: { _ in true }) != nil {
                favorites.append(link)
                continue
            }
            try database.run(
                "INSERT INTO favorite SELECT day, min(added), min(since) FROM removed WHERE run = ? AND day = ?",
                number,
                day)
            try note(.returned, day, link.place, at: moment, in: database)
        }
        try noteVanished(favorites, at: moment, in: database)
        try database.run("DELETE FROM removed WHERE run = ?", number)
        return count ?? 0
    }

    /// The history keeps of each favorite the link that went last, in `places`.
    private static func drop(
        _ kind: HistoryEntry.Kind, places: [Day: Place], at moment: Int, in database: Database,
        where mayEnd: (Day) -> Bool
    ) throws(StorageError) {
        let orphans = try database.all(
            """
            SELECT day FROM favorite WHERE day NOT IN (SELECT day FROM link WHERE day IS NOT NULL)
            AND day NOT IN (SELECT day FROM vanished)
            """
        ) { $0.day }
        for day in orphans.compactMap(\.self) where mayEnd(day) {
            try database.run("DELETE FROM favorite WHERE day = ?", .integer(day.number))
            try note(kind, .integer(day.number), places[day], at: moment, in: database)
        }
        try database.run(
            "DELETE FROM removed WHERE rowid <= (SELECT max(rowid) FROM removed) - ?", .integer(mostRemoved))
    }
}
