package import Apod
package import Files

/// Pictures that do not decode, though their SHA-256 is right (`ThumbnailState.isDamaged`).
extension Catalog {
    package func undecodable(of day: Day) throws(StorageError) -> [Digest: String] { try undecodable(in: day...day) }

    /// The pictures of these days that do not decode, and why.
    package func undecodable(in range: ClosedRange<Day> = Day.all) throws(StorageError) -> [Digest: String] {
        let rows = try all(
            """
            SELECT source, refusal FROM thumbnail
            WHERE refusal IS NOT NULL AND damaged = 1 AND day BETWEEN ? AND ?
            """, .day(range.lowerBound), .day(range.upperBound)
        ) { row in row.blob(0).flatMap(Digest.init).map { ($0, row.text(1) ?? "") } }
        return Dictionary(rows) { first, _ in first }
    }

    /// Has a damaged picture asked for again: its day counts as failed until it decodes.
    static func noteDamage(_ thumbnail: ThumbnailState, in database: Database) throws(StorageError) {
        let (day, source) = (Database.Value.day(thumbnail.day), Database.Value.blob(thumbnail.source.bytes))
        let hasThis = "EXISTS (SELECT 1 FROM file WHERE file.day = day.day AND sha256 = ?2)"
        if thumbnail.isDamaged, let why = thumbnail.refusal {
            let failure = Failure(undecodable: why)
            return try database.run(
                """
                UPDATE day SET state = 'failed', attempts = attempts + (retry_after IS NULL), failure = ?3
                WHERE day = ?1 AND state = 'mirrored' AND \(hasThis)
                """, day, source, .text(failure.json.line))
        }
        // Any other refusal does not say whether the picture is damaged.
        if thumbnail.refusal != nil { return }
        try database.run(
            """
            UPDATE day SET state = 'mirrored', attempts = 0, retry_after = NULL, failure = NULL
            WHERE day = ?1 AND \(hasThis) AND state = 'failed' AND failure ->> 'code' = ?3
            """, day, source, .text(Failure.Code.undecodable.rawValue))
    }
}

extension Failure {
    package init(undecodable why: String) { self.init(.undecodable, "the picture is cut off or damaged: \(why)") }
}
