package import Apod
package import Files

/// Thumbnails with the files that they were made of, and pictures that none can be made of.
extension Catalog {
    package func record(_ thumbnail: ThumbnailState) throws(StorageError) {
        try changing { database throws(StorageError) in
            try database.run(
                "REPLACE INTO thumbnail VALUES (?, ?, ?, ?, ?, ?, ?)", .day(thumbnail.day),
                .blob(thumbnail.source.bytes), .integer(thumbnail.version), .optional(thumbnail.refusal),
                .optional(thumbnail.screenBytes), .optional(thumbnail.sharedBytes), .optional(thumbnail.color))
        }
    }

    /// Enters thumbnails found on the disk that are not in the catalog.
    package func adopt(_ found: [ThumbnailState]) throws(StorageError) {
        if found.isEmpty { return }
        try changing { database throws(StorageError) in
            for one in found {
                try database.run(
                    """
                    INSERT INTO thumbnail VALUES (?, ?, ?, NULL, ?, ?, NULL) ON CONFLICT (day) DO UPDATE SET
                        screens = coalesce(screens, excluded.screens), shared = coalesce(shared, excluded.shared)
                    WHERE source = excluded.source AND refusal IS NULL
                    """, .day(one.day), .blob(one.source.bytes), .integer(one.version),
                    .optional(one.screenBytes), .optional(one.sharedBytes))
            }
        }
    }

    package func thumbnail(of day: Day) throws(StorageError) -> ThumbnailState? {
        try first("SELECT * FROM thumbnail WHERE day = ?", .day(day)) { $0.thumbnail }
    }

    /// Newest first.
    package func refusedThumbnails(version: Int) throws(StorageError) -> [ThumbnailState] {
        try all(
            """
            SELECT * FROM thumbnail INDEXED BY thumbnail_refused
            WHERE refusal IS NOT NULL AND version = ? ORDER BY day DESC
            """, .integer(version)
        ) { $0.thumbnail }
    }

    package func forgetThumbnails(of days: Set<Day>) throws(StorageError) {
        try changing { database throws(StorageError) in
            for day in days { try database.run("DELETE FROM thumbnail WHERE day = ?", .day(day)) }
        }
    }

    /// The bytes of all thumbnails.
    package func thumbnailBytes() throws(StorageError) -> Int {
        try integer("SELECT sum(coalesce(screens, 0) + coalesce(shared, 0)) FROM thumbnail") ?? 0
    }

    /// Notes that the thumbnails for these uses are gone, of some days or of all.
    package func forgetThumbnails(for uses: ThumbnailUses, of days: Set<Day>? = nil) throws(StorageError) {
        if days?.isEmpty == true { return }
        let changes =
            (uses.contains(.screens) ? ["screens = NULL"] : [])
            + (uses.contains(.fileManagers) ? ["shared = NULL"] : [])
        let set = "UPDATE thumbnail SET \(changes.joined(separator: ", "))"
        try changing { database throws(StorageError) in
            if let days {
                for day in days { try database.run("\(set) WHERE day = ?", .day(day)) }
            } else {
                try database.run(set)
            }
            try database.run("DELETE FROM thumbnail WHERE refusal IS NULL AND screens IS NULL AND shared IS NULL")
        }
    }

    /// The bytes of each day's thumbnails in `gallery`.
    package func screenBytes() throws(StorageError) -> [Day: Int] {
        let rows = try all("SELECT day, screens FROM thumbnail WHERE screens IS NOT NULL") { row in
            row.day.map { ($0, row.integer("screens") ?? 0) }
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// A day's image as the gallery shows it.
    package struct ScreenCopies: Sendable, Equatable {
        /// The average colour, 0xRRGGBB.
        package let color: Int?
    }

    /// The days of a range whose present image has thumbnails in `gallery`.
    package func screenCopies(in range: ClosedRange<Day>) throws(StorageError) -> [Day: ScreenCopies] {
        let rows = try all(
            """
            SELECT day, color FROM (
                SELECT image.day, type, role, color FROM file AS image JOIN thumbnail USING (day)
                WHERE image.day BETWEEN ? AND ? AND source = sha256 AND screens IS NOT NULL
            ) AS image WHERE \(Self.isImage)
            """, .day(range.lowerBound), .day(range.upperBound)
        ) { row in row.day.map { ($0, ScreenCopies(color: row.integer("color"))) } }
        return Dictionary(rows) { first, _ in first }
    }

    /// The days with thumbnails in `gallery` whose colour is not known, newest first.
    package func daysWithoutColor() throws(StorageError) -> [Day] {
        try all(
            "SELECT day FROM thumbnail WHERE screens IS NOT NULL AND color IS NULL ORDER BY day DESC"
        ) { $0.day }
    }

    /// Enters colours, 0xRRGGBB, but for days whose picture is another by now.
    package func setColors(_ colors: [(day: Day, source: Digest, color: Int)]) throws(StorageError) {
        if colors.isEmpty { return }
        try changing { database throws(StorageError) in
            for one in colors {
                try database.run(
                    "UPDATE thumbnail SET color = ? WHERE day = ? AND source = ? AND refusal IS NULL",
                    .integer(one.color), .day(one.day), .blob(one.source.bytes))
            }
        }
    }

    /// The days with thumbnails for file managers.
    package func sharedThumbnails() throws(StorageError) -> Set<Day> {
        try days("SELECT day FROM thumbnail WHERE shared IS NOT NULL")
    }

    /// Whether a file is its day's image, as an SQL condition: the picture, or else the poster.
    private static let isImage = """
        type >= 'image/' AND type < 'image0'
            AND (role = 'picture' OR role = 'poster' AND NOT EXISTS (SELECT 1 FROM file WHERE file.day = image.day
                AND role = 'picture' AND type >= 'image/' AND type < 'image0'))
            AND day NOT IN (SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned')
        """

    /// The days whose present image lacks thumbnails and was not refused by `version`, newest first.
    package func daysWithoutThumbnails(
        version: Int, for uses: ThumbnailUses = .screens, in range: ClosedRange<Day> = Day.any
    ) throws(StorageError) -> [Day] {
        if uses.isEmpty { return [] }
        return try all(
            """
            SELECT day FROM (
                SELECT image.day, type, role FROM file AS image LEFT JOIN thumbnail USING (day)
                WHERE image.day BETWEEN ?4 AND ?5 AND (source IS NOT sha256 OR refusal IS NOT NULL AND version <> ?1
                    OR refusal IS NULL AND (?2 AND screens IS NULL OR ?3 AND shared IS NULL))
                LIMIT -1   -- only of these few, it is asked whether they are images
            ) AS image WHERE \(Self.isImage) ORDER BY day DESC
            """, .integer(version), .flag(uses.contains(.screens)),
            .flag(uses.contains(.fileManagers)), .day(range.lowerBound),
            .day(range.upperBound)
        ) { $0.day }
    }

    /// The days that have thumbnails and no image.
    package func daysWithStaleThumbnails(in range: ClosedRange<Day> = Day.any) throws(StorageError) -> Set<Day> {
        try days(
            """
            SELECT day FROM thumbnail WHERE day BETWEEN ?1 AND ?2
            AND day NOT IN (SELECT day FROM file AS image WHERE day BETWEEN ?1 AND ?2 AND \(Self.isImage))
            """, .day(range.lowerBound), .day(range.upperBound))
    }
}

extension Database.Row {
    fileprivate var thumbnail: Catalog.ThumbnailState? {
        guard let day, let source = blob("source").flatMap(Digest.init), let version = integer("version") else {
            return nil
        }
        return Catalog.ThumbnailState(
            day: day, source: source, version: version, refusal: text("refusal"), screenBytes: integer("screens"),
            sharedBytes: integer("shared"), color: integer("color"))
    }
}
