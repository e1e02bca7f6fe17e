package import Apod
import Synchronization

/// What retention asks, and what it tells.
extension Catalog {
    /// Of all files and all JSON.
    package func bytes() throws(CatalogError) -> Int {
        try database.withLock { database throws(CatalogError) in
            let files = try database.first("SELECT sum(bytes) FROM file") { $0.integer(0) } ?? nil
            let json = try database.first("SELECT sum(json_bytes) FROM day") { $0.integer(0) } ?? nil
            return (files ?? 0) + (json ?? 0)
        }
    }

    /// Of the files that could be let go of before a day is.
    package func releasableBytes(before day: Day) throws(CatalogError) -> Int {
        try database.withLock { database throws(CatalogError) in
            try database.first(
                "SELECT sum(bytes) FROM file WHERE day < ? AND day NOT IN (SELECT day FROM favorite)",
                .integer(day.number)
            ) { $0.integer(0) } ?? nil
        } ?? 0
    }

    /// Those of the days with files that are before one, or all.
    package func holdings(before limit: Day? = nil) throws(CatalogError) -> [Stock.Holding] {
        try database.withLock { database throws(CatalogError) in
            try database.all(
                """
                SELECT file.day, title, sum(bytes), file.day IN (SELECT day FROM favorite)
                FROM file JOIN day ON day.day = file.day
                WHERE file.day < ? AND stem IS NOT NULL AND state <> 'pruned' GROUP BY file.day ORDER BY file.day
                """, .integer(limit?.number ?? .max)
            ) { row in
                Self.day(row).map { day in
                    Stock.Holding(
                        day: day, title: row.text(1) ?? "", bytes: row.integer(2) ?? 0,
                        isFavorite: row.integer(3) == 1)
                }
            }
        }.compactMap(\.self)
    }

    /// The newest day that was let go of.
    package func newestPruned() throws(CatalogError) -> Day? {
        try day("SELECT max(day) FROM day WHERE state <> 'mirrored' AND state = 'pruned'")
    }

    /// The days that are on their way out: the program was killed before all of it was done.
    func leaving() throws(CatalogError) -> [Day] {
        try database.withLock { database throws(CatalogError) in
            try database.all(
                """
                SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned'
                AND EXISTS (SELECT 1 FROM file WHERE file.day = day.day)
                AND day NOT IN (SELECT day FROM favorite)
                """
            ) { Self.day($0) }
        }.compactMap(\.self)
    }

    func isFavorite(_ day: Day) throws(CatalogError) -> Bool {
        try database.withLock { database throws(CatalogError) in
            try database.first("SELECT 1 FROM favorite WHERE day = ?", .integer(day.number)) { _ in true } ?? false
        }
    }
}
