package import Apod
package import Files

/// Pictures that their decoding has shown to be damaged, though they are as they came (`ThumbnailState.isDamaged`).
extension Catalog {
    private static let beginning = "the picture is cut off or damaged: "

    package static func reason(undecodable why: String) -> String { beginning + why }

    /// Why.
    package func undecodable(of day: Day) throws(StorageError) -> [Digest: String] {
        try undecodable("AND day = ?", .integer(day.number))
    }

    package func undecodable() throws(StorageError) -> [Digest: String] { try undecodable("AND ?", .integer(1)) }

    private func undecodable(_ condition: String, _ value: Database.Value) throws(StorageError) -> [Digest: String] {
        let rows = try all(
            "SELECT source, refusal FROM thumbnail WHERE refusal IS NOT NULL AND damaged = 1 \(condition)", value
        ) { row in row.blob(0).flatMap(Digest.init).map { ($0, row.text(1) ?? "") } }
        return Dictionary(rows.compactMap(\.self)) { first, _ in first }
    }

    /// A damaged picture of a day is asked for again.
    static func noteDamage(_ thumbnail: ThumbnailState, in database: Database) throws(StorageError) {
        let (day, source) = (Database.Value.integer(thumbnail.day.number), Database.Value.blob(thumbnail.source.bytes))
        let hasThis = "EXISTS (SELECT 1 FROM file WHERE file.day = day.day AND sha256 = ?2)"
        if thumbnail.isDamaged, let why = thumbnail.refusal {
            return try database.run(
                """
                UPDATE day SET state = 'failed', attempts = attempts + (retry_after IS NULL), reason = ?3
                WHERE day = ?1 AND state = 'mirrored' AND \(hasThis)
                """, day, source, .text(reason(undecodable: why)))
        }
        // What was too much for the decoder says nothing of it.
        if thumbnail.refusal != nil { return }
        try database.run(
            """
            UPDATE day SET state = 'mirrored', attempts = 0, retry_after = NULL, reason = NULL
            WHERE day = ?1 AND \(hasThis) AND state = 'failed' AND reason LIKE ?3
            """, day, source, .text("\(beginning)%"))
    }
}
