package import Apod
package import Files

/// Pictures that their decoding has shown to be damaged.
extension Catalog {
    package struct DamagedPicture: Sendable, Equatable {
        package let why: String
        /// That it should have; nil for a poster, or where that is not known.
        package let pixels: Int?

        package init(why: String, pixels: Int? = nil) {
            self.why = why
            self.pixels = pixels
        }

        fileprivate static let beginning = "the picture is cut off or damaged: "

        package var words: String { Self.beginning + why }
    }

    /// Those that a day has had, whatever it has now.
    package func damagedPictures(of day: Day) throws(StorageError) -> [Digest: DamagedPicture] {
        let rows = try all("SELECT source, why, pixels FROM damaged WHERE day = ?", .integer(day.number)) { row in
            row.blob(0).flatMap(Digest.init).map {
                ($0, DamagedPicture(why: row.text(1) ?? "", pixels: row.integer(2)))
            }
        }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    /// Why each of them is damaged.
    package func damagedPictures() throws(StorageError) -> [Digest: String] {
        let rows = try all("SELECT source, why FROM damaged") { row in
            row.blob(0).flatMap(Digest.init).map { ($0, row.text(1) ?? "") }
        }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    /// Of a row of the table `file`. What claims to be larger is not believed.
    private static let pixels = """
        CASE WHEN role = 'picture' AND width < 1000000 AND height < 1000000
            AND width * height / \(StoredFile.mostPixelsInByte) <= file.bytes THEN width * height END
        """

    /// What the decoding of a picture says of its day, which may have another meanwhile. That of a damaged one is asked
    /// for again: at once, unless it has taken the place of another damaged one (`DayUpdate`).
    static func noteDamage(_ thumbnail: ThumbnailState, in database: Database) throws(StorageError) {
        let (day, source) = (Database.Value.integer(thumbnail.day.number), Database.Value.blob(thumbnail.source.bytes))
        let hasThis = "EXISTS (SELECT 1 FROM file WHERE file.day = day.day AND sha256 = ?2)"
        // What an earlier program could not decode, this one may; but nothing whole is risked for that.
        try database.run(
            """
            DELETE FROM damaged WHERE version < ? AND NOT EXISTS (
                SELECT 1 FROM thumbnail WHERE thumbnail.day = damaged.day AND thumbnail.source = damaged.source)
            AND NOT EXISTS (SELECT 1 FROM file WHERE file.day = damaged.day AND role <> 'poster')
            """, .integer(thumbnail.version))
        guard thumbnail.isDamaged, let why = thumbnail.refusal else {
            // What was too much for the decoder says nothing of it.
            if thumbnail.refusal != nil { return }
            try database.run("DELETE FROM damaged WHERE day = ? AND source = ?", day, source)
            return try database.run(
                """
                UPDATE day SET state = 'mirrored', attempts = 0, retry_after = NULL, reason = NULL
                WHERE day = ?1 AND \(hasThis)
                    AND (state = 'failed' AND reason LIKE ?3 OR state = 'mirrored' AND attempts > 0)
                """, day, source, .text("\(DamagedPicture.beginning)%"))
        }
        try database.run(
            """
            REPLACE INTO damaged
            SELECT day, sha256, ?3, ?4, \(pixels) FROM file WHERE day = ?1 AND sha256 = ?2
            """, day, source, .integer(thumbnail.version), .text(why))
        try database.run(
            """
            UPDATE day SET state = 'failed', attempts = attempts + (retry_after IS NULL), reason = ?3
            WHERE day = ?1 AND state = 'mirrored' AND \(hasThis)
            """, day, source, .text(DamagedPicture(why: why).words))
    }
}
