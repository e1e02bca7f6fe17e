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

/// What is remembered of something in the favorites folder.
package struct Memory: Sendable, Equatable {
    package let meaning: Meaning
    /// It went in a way that may not have been meant, and nobody has confirmed it.
    package let hasVanished: Bool
}

/// How the favorites folder differs from what is remembered of it.
package struct FolderChange: Sendable {
    package var seen: [(place: Place, meaning: Meaning)] = []
    package var vanished: [Place] = []
    /// Taken away, and meant so.
    package var gone: [Place] = []
    package var marks: [Album: String] = [:]

    package init() {}

    package var isEmpty: Bool { seen.isEmpty && vanished.isEmpty && gone.isEmpty && marks.isEmpty }
}

extension Catalog {
    package func memories(in album: Album) throws(CatalogError) -> [Name: Memory] {
        let rows = try database.withLock { database throws(CatalogError) in
            try database.all("SELECT name, day, why, vanished FROM link WHERE album = ?", .blob(album.path)) { row in
                Self.memory(row).flatMap { memory in row.blob(0).flatMap { Name($0) }.map { ($0, memory) } }
            }
        }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    package func memory(of place: Place) throws(CatalogError) -> Memory? {
        try database.withLock { database throws(CatalogError) in
            try database.first(
                "SELECT name, day, why, vanished FROM link WHERE album = ? AND name = ?", .blob(place.album.path),
                .blob(Array(place.name.bytes))
            ) { Self.memory($0) } ?? nil
        }
    }

    private static func memory(_ row: Database.Row) -> Memory? {
        let meaning = row.integer(1).map { Day(daysSince1970: $0).map(Meaning.day) } ?? .stranger(row.text(2) ?? "")
        return meaning.map { Memory(meaning: $0, hasVanished: row.integer(3) != nil) }
    }

    /// The albums of which anything is remembered, with the marks of those that were there.
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

    /// All of it or nothing. Favorites that are new are favorites from then on; those that have lost their last link
    /// are until `dropOrphans`.
    package func record(_ change: FolderChange, at moment: Int) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                var known: Set<Day> = []
                for (place, meaning) in change.seen {
                    try Self.write(place, meaning, to: database)
                    guard let day = meaning.day, known.insert(day).inserted else { continue }
                    try Self.add(day, by: place, at: moment, to: database)
                }
                for place in change.vanished {
                    try database.run(
                        "UPDATE link SET vanished = ? WHERE album = ? AND name = ? AND vanished IS NULL",
                        .integer(moment), .blob(place.album.path), .blob(Array(place.name.bytes)))
                }
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

    private static func write(_ place: Place, _ meaning: Meaning, to database: Database) throws(CatalogError) {
        let (day, why): (Database.Value, Database.Value) =
            switch meaning {
            case .day(let day): (.integer(day.number), .null)
            case .stranger(let why): (.null, .text(why))
            }
        try database.run(
            "REPLACE INTO link VALUES (?, ?, ?, ?, NULL)", .blob(place.album.path), .blob(Array(place.name.bytes)), day,
            why)
    }

    private static func add(
        _ day: Day, by place: Place, at moment: Int, to database: Database
    ) throws(CatalogError) {
        let day = Database.Value.integer(day.number)
        guard try database.first("SELECT 1 FROM favorite WHERE day = ?", day, row: { _ in true }) == nil else { return }
        try database.run("INSERT INTO favorite VALUES (?, ?)", day, .integer(moment))
        try note(.added, day, place, at: moment, in: database)
    }

    static func note(
        _ kind: HistoryEntry.Kind, _ day: Database.Value, _ place: Place?, at moment: Int, in database: Database
    ) throws(CatalogError) {
        try database.run(
            "INSERT INTO change VALUES (?, ?, ?, ?, ?)", .integer(moment), day, .text(kind.rawValue),
            .optional(place?.album.path), .optional(place.map { Array($0.name.bytes) }))
    }

    /// Ends favorites that no link stands for any more. Of each, the history keeps the link that was `lost` last.
    package func dropOrphans(lost: [Day: Place], as kind: HistoryEntry.Kind, at moment: Int) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                let orphans = try database.all(
                    "SELECT day FROM favorite WHERE day NOT IN (SELECT day FROM link WHERE day IS NOT NULL)"
                ) { Self.day($0) }
                for day in orphans.compactMap(\.self) {
                    try database.run("DELETE FROM favorite WHERE day = ?", .integer(day.number))
                    try Self.note(kind, .integer(day.number), lost[day], at: moment, in: database)
                }
            }
        }
    }

    /// Confirms that links that vanished are meant to be gone: those of some days, or all. Returns whose they were.
    package func forget(_ days: Set<Day>?, at moment: Int) throws(CatalogError) -> Set<Day> {
        let vanished = try favorites().filter { !$0.vanished.isEmpty && days?.contains($0.day) ?? true }
        var change = FolderChange()
        change.gone = vanished.flatMap(\.vanished)
        try record(change, at: moment)
        let places = vanished.compactMap { favorite in favorite.vanished.first.map { (favorite.day, $0) } }
        try dropOrphans(lost: Dictionary(places) { first, _ in first }, as: .forgotten, at: moment)
        return Set(vanished.map(\.day))
    }

    /// Enters favorites that were known before the catalog was lost.
    package func recall(_ favorites: [Favorite]) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.transaction { () throws(CatalogError) in
                for favorite in favorites {
                    let day = Database.Value.integer(favorite.day.number)
                    try database.run("INSERT OR IGNORE INTO favorite VALUES (?, ?)", day, .integer(favorite.added))
                    for place in favorite.links + favorite.vanished {
                        let isGone = favorite.vanished.contains(place)
                        try database.run(
                            "INSERT OR IGNORE INTO link VALUES (?, ?, ?, NULL, ?)", .blob(place.album.path),
                            .blob(Array(place.name.bytes)), day, isGone ? .integer(favorite.added) : .null)
                    }
                }
            }
        }
    }
}
