package import Apod
import Files

/// Thumbnails with the files that they were made of, and pictures that none can be made of.
extension Catalog {
    package func record(_ thumbnail: ThumbnailState) throws {
        try changing([thumbnail.picture.day]) { database in
            try database.run(
                "REPLACE INTO thumbnail VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .day(thumbnail.picture.day),
                .integer(thumbnail.picture.number), .blob(thumbnail.source.bytes), .integer(thumbnail.version),
                .optional(thumbnail.refusal),
                .optional(thumbnail.screenBytes), .optional(thumbnail.sharedBytes), .optional(thumbnail.color))
        }
    }

    /// Enters thumbnails found on the disk that are not in the catalog.
    package func adopt(_ found: [ThumbnailState]) throws {
        if found.isEmpty { return }
        try changing(found.map(\.picture.day)) { database in
            for one in found {
                try database.run(
                    """
                    INSERT INTO thumbnail VALUES (?, ?, ?, ?, NULL, ?, ?, NULL) ON CONFLICT (day, number) DO UPDATE SET
                        screens = coalesce(screens, excluded.screens), shared = coalesce(shared, excluded.shared)
                    WHERE source = excluded.source AND refusal IS NULL
                    """, .day(one.picture.day), .integer(one.picture.number), .blob(one.source.bytes),
                    .integer(one.version), .optional(one.screenBytes), .optional(one.sharedBytes))
            }
        }
    }

    package func thumbnail(of picture: DayPicture) throws -> ThumbnailState? {
        try first(
            "SELECT * FROM thumbnail WHERE day = ? AND number = ?", .day(picture.day), .integer(picture.number)
        ) { $0.thumbnail }
    }

    /// Newest first.
    package func refusedThumbnails(version: Int) throws -> [ThumbnailState] {
        try all(
            """
            SELECT * FROM thumbnail INDEXED BY thumbnail_refused
            WHERE refusal IS NOT NULL AND version = ? AND day > 0 ORDER BY day DESC
            """, .integer(version)
        ) { $0.thumbnail }
    }

    package func forgetThumbnails(of pictures: Set<DayPicture>) throws {
        try changing(pictures.map(\.day)) { database in
            for picture in pictures {
                try database.run(
                    "DELETE FROM thumbnail WHERE day = ? AND number = ?", .day(picture.day), .integer(picture.number))
            }
        }
    }

    /// The bytes of all thumbnails.
    package func thumbnailBytes() throws -> Int {
        try integer("SELECT sum(coalesce(screens, 0) + coalesce(shared, 0)) FROM thumbnail") ?? 0
    }

    /// Notes that the thumbnails for these uses are gone.
    package func forgetThumbnails(for uses: ThumbnailUses, of pictures: Set<DayPicture>) throws {
        if pictures.isEmpty { return }
        let changes =
            (uses.contains(.screens) ? ["screens = NULL"] : [])
            + (uses.contains(.fileManagers) ? ["shared = NULL"] : [])
        let set = "UPDATE thumbnail SET \(changes.joined(separator: ", "))"
        try changing(pictures.map(\.day)) { database in
            for picture in pictures {
                try database.run("\(set) WHERE day = ? AND number = ?", .day(picture.day), .integer(picture.number))
            }
            try database.run("DELETE FROM thumbnail WHERE refusal IS NULL AND screens IS NULL AND shared IS NULL")
        }
    }

    /// The bytes of each picture's thumbnails in `gallery`.
    package func screenBytes(in range: ClosedRange<Day> = Day.all) throws -> [DayPicture: Int] {
        let rows = try all(
            "SELECT day, number, screens FROM thumbnail WHERE day BETWEEN ? AND ? AND screens IS NOT NULL",
            .day(range.lowerBound), .day(range.upperBound)
        ) { row in row.picture.map { ($0, row.integer("screens") ?? 0) } }
        return Dictionary(rows) { first, _ in first }
    }

    /// A picture as the gallery shows it.
    package struct ScreenCopies: Sendable, Equatable {
        /// The average colour, 0xRRGGBB.
        package let color: Int?
    }

    /// The present pictures of some days that have thumbnails in `gallery`.
    package func screenCopies(in range: ClosedRange<Day>) throws -> [DayPicture: ScreenCopies] {
        let rows = try all(
            """
            SELECT day, number, color FROM (
                SELECT image.day, number, type, role, former, color FROM file AS image JOIN thumbnail USING (day, number)
                WHERE image.day BETWEEN ? AND ? AND source = sha256 AND screens IS NOT NULL
            ) AS image WHERE \(Self.isImage)
            """, .day(range.lowerBound), .day(range.upperBound)
        ) { row in row.picture.map { ($0, ScreenCopies(color: row.integer("color"))) } }
        return Dictionary(rows) { first, _ in first }
    }

    /// The pictures with thumbnails in `gallery` whose colour is not known, newest first.
    package func picturesWithoutColor(in range: ClosedRange<Day> = Day.all) throws -> [DayPicture] {
        try all(
            """
            SELECT day, number FROM thumbnail WHERE day BETWEEN ? AND ? AND screens IS NOT NULL AND color IS NULL
            ORDER BY day DESC, number
            """, .day(range.lowerBound), .day(range.upperBound)
        ) { $0.picture }
    }

    /// Enters colours, 0xRRGGBB, but where there is another picture by now.
    package func setColors(_ colors: [(picture: DayPicture, source: Digest, color: Int)]) throws {
        if colors.isEmpty { return }
        try changing(colors.map(\.picture.day)) { database in
            for one in colors {
                try database.run(
                    "UPDATE thumbnail SET color = ? WHERE day = ? AND number = ? AND source = ? AND refusal IS NULL",
                    .integer(one.color), .day(one.picture.day), .integer(one.picture.number), .blob(one.source.bytes))
            }
        }
    }

    /// The days with thumbnails for file managers.
    package func sharedThumbnails(in range: ClosedRange<Day> = Day.all) throws -> Set<Day> {
        try days(
            "SELECT day FROM thumbnail WHERE day BETWEEN ? AND ? AND shared IS NOT NULL", .day(range.lowerBound),
            .day(range.upperBound))
    }

    /// Whether a file is one of its day's `images`, as an SQL condition.
    private static let isImage = """
        type >= 'image/' AND type < 'image0'
            AND (role = 'picture' OR role = 'also' AND former = 0
                OR role = 'poster' AND NOT EXISTS (SELECT 1 FROM file WHERE file.day = image.day
                AND role = 'picture' AND type >= 'image/' AND type < 'image0'))
            AND day NOT IN (SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned')
        """

    /// The present pictures that lack thumbnails and were not refused by `version`, newest first. File managers make
    /// those of further pictures themselves.
    package func picturesWithoutThumbnails(
        version: Int, for uses: ThumbnailUses = .screens, in range: ClosedRange<Day> = Day.all
    ) throws -> [DayPicture] {
        if uses.isEmpty { return [] }
        return try all(
            """
            SELECT day, number FROM (
                SELECT image.day, number, type, role, former FROM file AS image LEFT JOIN thumbnail USING (day, number)
                WHERE image.day BETWEEN ?4 AND ?5 AND (?2 OR number = 1)
                    AND (source IS NOT sha256 OR refusal IS NOT NULL AND version <> ?1
                    OR refusal IS NULL AND (?2 AND screens IS NULL OR ?3 AND shared IS NULL AND number = 1))
                LIMIT -1   -- only of these few, it is asked whether they are images
            ) AS image WHERE \(Self.isImage) ORDER BY day DESC, number
            """, .integer(version), .flag(uses.contains(.screens)),
            .flag(uses.contains(.fileManagers)), .day(range.lowerBound),
            .day(range.upperBound)
        ) { $0.picture }
    }

    /// The pictures that have thumbnails and are gone.
    package func staleThumbnails(in range: ClosedRange<Day> = Day.all) throws -> Set<DayPicture> {
        Set(
            try all(
                """
                SELECT day, number FROM thumbnail WHERE day BETWEEN ?1 AND ?2 AND (day, number) NOT IN (
                    SELECT day, number FROM file AS image WHERE day BETWEEN ?1 AND ?2 AND \(Self.isImage))
                """, .day(range.lowerBound), .day(range.upperBound)
            ) { $0.picture })
    }
}

extension Database.Row {
    fileprivate var picture: DayPicture? { day.map { DayPicture($0, integer("number") ?? 1) } }

    fileprivate var thumbnail: Catalog.ThumbnailState? {
        guard let picture, let source = blob("source").flatMap(Digest.init), let version = integer("version") else {
            return nil
        }
        return Catalog.ThumbnailState(
            picture, source: source, version: version, refusal: text("refusal"), screenBytes: integer("screens"),
            sharedBytes: integer("shared"), color: integer("color"))
    }
}
