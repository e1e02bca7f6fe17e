package import Apod
import Synchronization

/// What thumbnails were made of, and which pictures none can be made of.
extension Catalog {
    package struct ThumbnailRecord: Sendable, Equatable {
        package let day: Day
        /// Of the picture.
        package let source: Digest
        /// Of the program that made them.
        package let version: Int
        /// Why there are none.
        package let refusal: String?
        /// Of all that was made.
        package let bytes: Int

        package init(day: Day, source: Digest, version: Int, refusal: String? = nil, bytes: Int = 0) {
            self.day = day
            self.source = source
            self.version = version
            self.refusal = refusal
            self.bytes = bytes
        }
    }

    package func record(_ thumbnail: ThumbnailRecord) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.run(
                "REPLACE INTO thumbnail VALUES (?, ?, ?, ?, ?)", .integer(thumbnail.day.number),
                .blob(thumbnail.source.bytes), .integer(thumbnail.version), .optional(thumbnail.refusal),
                .integer(thumbnail.bytes))
        }
    }

    package func thumbnail(of day: Day) throws(CatalogError) -> ThumbnailRecord? {
        try first("SELECT * FROM thumbnail WHERE day = ?", .integer(day.number)) { $0.thumbnail } ?? nil
    }

    /// Why none can be made of a picture, whatever day it is of.
    package func refusal(of source: Digest, version: Int) throws(CatalogError) -> String? {
        try first(
            "SELECT refusal FROM thumbnail WHERE refusal IS NOT NULL AND source = ? AND version = ?",
            .blob(source.bytes), .integer(version)
        ) { $0.text(0) } ?? nil
    }

    /// Newest first.
    package func refusedThumbnails(version: Int) throws(CatalogError) -> [ThumbnailRecord] {
        try all(
            "SELECT * FROM thumbnail WHERE refusal IS NOT NULL AND version = ? ORDER BY day DESC", .integer(version)
        ) { $0.thumbnail }.compactMap(\.self)
    }

    package func forgetThumbnail(of day: Day) throws(CatalogError) {
        try database.withLock { database throws(CatalogError) in
            try database.run("DELETE FROM thumbnail WHERE day = ?", .integer(day.number))
        }
    }

    /// Of all thumbnails together.
    package func thumbnailBytes() throws(CatalogError) -> Int {
        try first("SELECT coalesce(sum(bytes), 0) FROM thumbnail") { $0.integer(0) ?? 0 } ?? 0
    }

    /// The days that have thumbnails.
    package func daysWithThumbnails() throws(CatalogError) -> Set<Day> {
        try days("SELECT day FROM thumbnail WHERE refusal IS NULL")
    }

    /// The image of each day that has one: the picture, before the poster.
    private static let images = """
        SELECT day, sha256 FROM file AS image WHERE type >= 'image/' AND type < 'image0'
            AND (role = 'picture' OR role = 'poster' AND NOT EXISTS (SELECT 1 FROM file WHERE file.day = image.day
                AND role = 'picture' AND type >= 'image/' AND type < 'image0'))
            AND day NOT IN (SELECT day FROM day WHERE state <> 'mirrored' AND state = 'pruned')
        """

    /// The days whose image has no thumbnails yet, or is another now, newest first.
    package func daysWithoutThumbnails(version: Int) throws(CatalogError) -> [Day] {
        try all(
            """
            SELECT image.day FROM (\(Self.images)) AS image LEFT JOIN thumbnail USING (day)
            WHERE source IS NOT sha256 OR refusal IS NOT NULL AND version <> ? ORDER BY image.day DESC
            """, .integer(version)
        ) { $0.day }.compactMap(\.self)
    }

    /// The days that have no image any more.
    package func daysWithStaleThumbnails() throws(CatalogError) -> Set<Day> {
        try days("SELECT day FROM thumbnail WHERE day NOT IN (SELECT day FROM (\(Self.images)))")
    }
}

extension Database.Row {
    fileprivate var thumbnail: Catalog.ThumbnailRecord? {
        guard let day, let source = blob(1).flatMap(Digest.init), let version = integer(2) else { return nil }
        return Catalog.ThumbnailRecord(
            day: day, source: source, version: version, refusal: text(3), bytes: integer(4) ?? 0)
    }
}
