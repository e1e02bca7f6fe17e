package import Apod
package import Files
import Synchronization

/// What something in the favorites folder is.
package enum Meaning: Sendable, Equatable {
    case day(Day)
    /// Not the mirror's, and why.
    case stranger(String)

    package var day: Day? { if case .day(let day) = self { day } else { nil } }
}

/// How the favorites folder differs from what is remembered of it.
package struct FolderChange: Sendable {
    package var seen: [(place: Place, meaning: Meaning)] = []
    /// Links that are not there any more, in a way that may not have been meant.
    package var vanished: [(place: Place, day: Day)] = []
    /// Taken away, and meant so.
    package var gone: [Place] = []
    /// What the folders are that were looked at.
    package var marks: [Album: String] = [:]

    package init() {}

    package var isEmpty: Bool { seen.isEmpty && vanished.isEmpty && gone.isEmpty && marks.isEmpty }
}

extension Catalog {
    /// What is remembered of the things in a folder.
    package func meanings(in album: Album) throws(CatalogError) -> [Name: Meaning] {
        let rows = try database.withLock { database throws(CatalogError) in
            try database.all("SELECT name, day, why FROM link WHERE album = ?", .blob(album.path)) { row in
                Self.meaning(row).flatMap { meaning in row.blob(0).flatMap { Name($0) }.map { ($0, meaning) } }
            }
        }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    package func meaning(of place: Place) throws(CatalogError) -> Meaning? {
        try database.withLock { database throws(CatalogError) in
            try database.first(
                "SELECT name, day, why FROM link WHERE album = ? AND name = ?", .blob(place.album.path),
                .blob(Array(place.name.bytes))
            ) { Self.meaning($0) } ?? nil
        }
    }

    private static func meaning(_ row: Database.Row) -> Meaning? {
        guard let number = row.integer(1) else { return .stranger(row.text(2) ?? "") }
        return Day(daysSince1970: number).map(Meaning.day)
    }

    /// The albums of which anything is remembered, with the marks of those that were looked at.
    package func albums() throws(CatalogError) -> [Album: String?] {
        try database.withLock { database throws(CatalogError) in
            let used = try database.all("SELECT DISTINCT album FROM link") { $0.blob(0).flatMap { Album($0) } }
            let marked = try database.all("SELECT path, mark FROM album") { row in
                row.blob(0).flatMap { Album($0) }.map { ($0, row.text(1)) }
            }
            let marks = Dictionary(marked.compactMap(\.self)) { first, _ in first }
            return marks.merging(used.compactMap(\.self).map { ($0, nil) }) { first, _ in first }
        }
    }

    /// All of it or nothing. What is new is a favorite from then on; what has lost its last link stays one until
    /// `dropOrphans`.
    package func record(_ change: FolderChange, at moment: Int) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                try Self.write(change.seen, at: moment, to: database)
                for (place, day) in change.vanished { try Self.setAside(place, day, at: moment, in: database) }
                for place in change.gone {
                    try database.run(
                        "DELETE FROM link WHERE album = ? AND name = ?", .blob(place.album.path),
                        .blob(Array(place.name.bytes)))
                }
                for (album, mark) in change.marks {
                    try database.run("REPLACE INTO album VALUES (?, ?)", .blob(album.path), .text(mark))
                }
            }
        }
    }

    private static func write(
        _ seen: [(place: Place, meaning: Meaning)], at moment: Int, to database: Database
    ) throws(CatalogError) {
        let hasVanished = try database.first("SELECT 1 FROM vanished") { _ in true } ?? false
        var known: Set<Day> = []
        for (place, meaning) in seen {
            try write(place, meaning, to: database)
            guard let day = meaning.day else { continue }
            if known.insert(day).inserted { try add(day, by: place, at: moment, to: database) }
            if hasVanished {
                try database.run(
                    "DELETE FROM vanished WHERE album = ? AND name = ? AND day = ?", .blob(place.album.path),
                    .blob(Array(place.name.bytes)), .integer(day.number))
            }
        }
    }

    private static func write(_ place: Place, _ meaning: Meaning, to database: Database) throws(CatalogError) {
        let (day, why): (Database.Value, Database.Value) =
            switch meaning {
            case .day(let day): (.integer(day.number), .null)
            case .stranger(let why): (.null, .text(why))
            }
        try database.run(
            "REPLACE INTO link VALUES (?, ?, ?, ?)", .blob(place.album.path), .blob(Array(place.name.bytes)), day, why)
    }

    private static func add(
        _ day: Day, by place: Place, at moment: Int, to database: Database
    ) throws(CatalogError) {
        let day = Database.Value.integer(day.number)
        guard try database.first("SELECT 1 FROM favorite WHERE day = ?", day, row: { _ in true }) == nil else { return }
        try database.run("INSERT INTO favorite VALUES (?, ?)", day, .integer(moment))
        try note(.added, day, place, at: moment, in: database)
    }

    private static func setAside(
        _ place: Place, _ day: Day, at moment: Int, in database: Database
    ) throws(CatalogError) {
        let (album, name) = (Database.Value.blob(place.album.path), Database.Value.blob(Array(place.name.bytes)))
        let day = Database.Value.integer(day.number)
        try database.run("INSERT OR IGNORE INTO vanished VALUES (?, ?, ?, ?)", album, name, day, .integer(moment))
        try database.run("DELETE FROM link WHERE album = ? AND name = ? AND day = ?", album, name, day)
    }

    private static func note(
        _ kind: HistoryEntry.Kind, _ day: Database.Value, _ place: Place?, at moment: Int, in database: Database
    ) throws(CatalogError) {
        try database.run(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?)", .integer(moment), day, .text(kind.rawValue),
            .optional(place?.album.path), .optional(place.map { Array($0.name.bytes) }))
    }

    /// Ends those of some favorites, or of all, that no link stands for any more. The history keeps of each the link
    /// that was `lost` last.
    package func dropOrphans(
        among days: Set<Day>?, lost: [Day: Place], at moment: Int
    ) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                try Self.drop(.removed, among: days, lost: lost, at: moment, in: database)
            }
        }
    }

    private static func drop(
        _ kind: HistoryEntry.Kind, among days: Set<Day>?, lost: [Day: Place], at moment: Int, in database: Database
    ) throws(CatalogError) {
        let orphans = try database.all(
            """
            SELECT day FROM favorite WHERE day NOT IN (SELECT day FROM link WHERE day IS NOT NULL)
            AND day NOT IN (SELECT day FROM vanished)
            """
        ) { Self.day($0) }
        for day in orphans.compactMap(\.self) where days?.contains(day) ?? true {
            try database.run("DELETE FROM favorite WHERE day = ?", .integer(day.number))
            try note(kind, .integer(day.number), lost[day], at: moment, in: database)
        }
    }

    /// Confirms that links that vanished are meant to be gone: those of some days, or all. Returns whose they were.
    package func forget(_ days: Set<Day>?, at moment: Int) throws(CatalogError) -> Set<Day> {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                let rows = try database.all("SELECT day, album, name FROM vanished") { row in
                    Self.day(row).flatMap { day in Self.place(row, at: 1).map { (day, $0) } }
                }
                let vanished = rows.compactMap(\.self).filter { days?.contains($0.0) ?? true }
                let lost = Dictionary(vanished) { first, _ in first }
                for day in lost.keys {
                    try database.run("DELETE FROM vanished WHERE day = ?", .integer(day.number))
                }
                try Self.drop(.forgotten, among: Set(lost.keys), lost: lost, at: moment, in: database)
                return Set(lost.keys)
            }
        }
    }

    /// Enters favorites that were known before the catalog was lost.
    func recall(_ favorites: [Favorite], at moment: Int) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                for favorite in favorites {
                    let day = Database.Value.integer(favorite.day.number)
                    try database.run("INSERT OR IGNORE INTO favorite VALUES (?, ?)", day, .integer(favorite.added))
                    for place in favorite.links { try Self.write(place, .day(favorite.day), to: database) }
                    for place in favorite.vanished {
                        try Self.setAside(place, favorite.day, at: moment, in: database)
                    }
                }
            }
        }
    }
}
