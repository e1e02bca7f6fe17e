package import Apod
import Files

/// Thumbnails with the files that they were made of, and pictures that none can be made of.
extension Catalog {
    /// An item whose list was left meanwhile has none.
    package func record(_ thumbnail: ThumbnailState) throws {
        try changing([thumbnail.picture.key]) { database in
            guard let n = try database.number(of: thumbnail.picture.key) else { return }
            try database.run(
                "REPLACE INTO thumbnail VALUES (?, ?, ?, ?, ?, ?, ?, ?)", .integer(n),
                .integer(thumbnail.picture.number), .blob(thumbnail.source.bytes), .integer(thumbnail.version),
                .optional(thumbnail.refusal),
                .optional(thumbnail.screenBytes), .optional(thumbnail.sharedBytes), .optional(thumbnail.color))
        }
    }

    /// Enters thumbnails found on the disk that are not in the catalog.
    package func adopt(_ found: [ThumbnailState]) throws {
        if found.isEmpty { return }
        try changing(found.map(\.picture.key)) { database in
            for one in found {
                guard let n = try database.number(of: one.picture.key) else { continue }
                try database.run(
                    """
                    INSERT INTO thumbnail VALUES (?, ?, ?, ?, NULL, ?, ?, NULL) ON CONFLICT (n, number) DO UPDATE SET
                        screens = coalesce(screens, excluded.screens), shared = coalesce(shared, excluded.shared)
                    WHERE source = excluded.source AND refusal IS NULL
                    """, .integer(n), .integer(one.picture.number), .blob(one.source.bytes),
                    .integer(one.version), .optional(one.screenBytes), .optional(one.sharedBytes))
            }
        }
    }

    package func thumbnail(of picture: PictureKey) throws -> ThumbnailState? {
        try first(
            "SELECT * FROM thumbnail WHERE n = ? AND number = ?", .key(picture.key), .integer(picture.number)
        ) { $0.thumbnail }
    }

    /// Of APOD, newest first.
    package func refusedThumbnails(version: Int) throws -> [ThumbnailState] {
        try all(
            """
            SELECT * FROM thumbnail INDEXED BY thumbnail_refused
            WHERE refusal IS NOT NULL AND version = ? AND n <= ? ORDER BY n DESC
            """, .integer(version), .day(.last)
        ) { $0.thumbnail }
    }

    package func forgetThumbnails(of pictures: Set<PictureKey>) throws {
        try changing(pictures.map(\.key)) { database in
            for picture in pictures {
                try database.run(
                    "DELETE FROM thumbnail WHERE n = ? AND number = ?", .key(picture.key), .integer(picture.number))
            }
        }
    }

    /// The bytes of all thumbnails.
    package func thumbnailBytes() throws -> Int {
        try integer("SELECT sum(coalesce(screens, 0) + coalesce(shared, 0)) FROM thumbnail") ?? 0
    }

    /// Notes that the thumbnails for these uses are gone.
    package func forgetThumbnails(for uses: ThumbnailUses, of pictures: Set<PictureKey>) throws {
        if pictures.isEmpty { return }
        let changes =
            (uses.contains(.screens) ? ["screens = NULL"] : [])
            + (uses.contains(.fileManagers) ? ["shared = NULL"] : [])
        let set = "UPDATE thumbnail SET \(changes.joined(separator: ", "))"
        try changing(pictures.map(\.key)) { database in
            for picture in pictures {
                try database.run("\(set) WHERE n = ? AND number = ?", .key(picture.key), .integer(picture.number))
            }
            try database.run("DELETE FROM thumbnail WHERE refusal IS NULL AND screens IS NULL AND shared IS NULL")
        }
    }

    /// The bytes of each picture's thumbnails in `gallery`.
    package func screenBytes() throws -> [PictureKey: Int] {
        let rows = try all("SELECT n, number, screens FROM thumbnail WHERE screens IS NOT NULL") { row in
            row.picture.map { ($0, row.integer("screens") ?? 0) }
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// A picture as the gallery shows it.
    package struct ScreenCopies: Sendable, Equatable {
        /// The average colour, 0xRRGGBB.
        package let color: Int?
    }

    /// The present pictures of some items that have thumbnails in `gallery`.
    package func screenCopies(in scope: Scope) throws -> [PictureKey: ScreenCopies] {
        let rows = try all(
            """
            SELECT n, number, color FROM (
                SELECT image.n, number, type, role, former, color FROM file AS image JOIN thumbnail USING (n, number)
                WHERE source = sha256 AND screens IS NOT NULL AND \(scope.sql("image.n"))
            ) AS image WHERE \(Self.isImage)
            """, values: scope.values
        ) { row in row.picture.map { ($0, ScreenCopies(color: row.integer("color"))) } }
        return Dictionary(rows) { first, _ in first }
    }

    /// The pictures with thumbnails in `gallery` whose colour is not known, newest first.
    package func picturesWithoutColor() throws -> [PictureKey] {
        try all(
            "SELECT n, number FROM thumbnail WHERE screens IS NOT NULL AND color IS NULL ORDER BY n DESC, number"
        ) { $0.picture }
    }

    /// Enters colours, 0xRRGGBB, but where there is another picture by now.
    package func setColors(_ colors: [(picture: PictureKey, source: Digest, color: Int)]) throws {
        if colors.isEmpty { return }
        try changing(colors.map(\.picture.key)) { database in
            for one in colors {
                try database.run(
                    "UPDATE thumbnail SET color = ? WHERE n = ? AND number = ? AND source = ? AND refusal IS NULL",
                    .integer(one.color), .key(one.picture.key), .integer(one.picture.number), .blob(one.source.bytes))
            }
        }
    }

    /// The keys with thumbnails for file managers.
    package func sharedThumbnails() throws -> Set<Key> {
        try keys("SELECT n FROM thumbnail WHERE shared IS NOT NULL")
    }

    /// Whether a file is one of its day's `images`, as an SQL condition.
    private static let isImage = """
        type >= 'image/' AND type < 'image0'
            AND (role = 'picture' OR role = 'also' AND former = 0
                OR role = 'poster' AND NOT EXISTS (SELECT 1 FROM file WHERE file.n = image.n
                AND role = 'picture' AND type >= 'image/' AND type < 'image0'))
            AND n NOT IN (SELECT n FROM item WHERE state <> 'mirrored' AND state = 'pruned')
        """

    /// The present pictures that lack thumbnails and were not refused by `version`, newest first. File managers make
    /// those of further pictures themselves.
    package func picturesWithoutThumbnails(
        version: Int, for uses: ThumbnailUses = .screens, in scope: Scope
    ) throws -> [PictureKey] {
        if uses.isEmpty { return [] }
        return try all(
            """
            SELECT n, number FROM (
                SELECT image.n, number, type, role, former FROM file AS image LEFT JOIN thumbnail USING (n, number)
                WHERE (?2 OR number = 1) AND (source IS NOT sha256 OR refusal IS NOT NULL AND version <> ?1
                    OR refusal IS NULL AND (?2 AND screens IS NULL OR ?3 AND shared IS NULL AND number = 1))
                    AND \(scope.sql("image.n"))
                LIMIT -1   -- only of these few, it is asked whether they are images
            ) AS image WHERE \(Self.isImage) ORDER BY n DESC, number
            """,
            values: [.integer(version), .flag(uses.contains(.screens)), .flag(uses.contains(.fileManagers))]
                + scope.values
        ) { $0.picture }
    }

    /// The pictures that have thumbnails and are gone.
    package func staleThumbnails(in scope: Scope) throws -> Set<PictureKey> {
        Set(
            try all(
                """
                SELECT n, number FROM thumbnail WHERE \(scope.sql()) AND NOT EXISTS (
                    SELECT 1 FROM file AS image WHERE image.n = thumbnail.n AND image.number = thumbnail.number AND \(Self.isImage))
                """, values: scope.values
            ) { $0.picture })
    }
}

extension Database.Row {
    fileprivate var picture: PictureKey? { key.map { PictureKey($0, integer("number") ?? 1) } }

    fileprivate var thumbnail: Catalog.ThumbnailState? {
        guard let picture, let source = blob("source").flatMap(Digest.init), let version = integer("version") else {
            return nil
        }
        return Catalog.ThumbnailState(
            picture, source: source, version: version, refusal: text("refusal"), screenBytes: integer("screens"),
            sharedBytes: integer("shared"), color: integer("color"))
    }
}
