internal import Apod

/// Rows as values. What does not read as one was not written here, and is as good as not there.
extension Catalog {
    static let dayColumns = """
        day, state, attempts, retry_after, reason, stem, title, has_text, fetched, content, json_sha256, json_bytes
        """
    static let fileColumns = "role, type, address, bytes, sha256, width, height"

    static func day(_ row: Database.Row) -> Day? { row.integer(0).flatMap { Day(daysSince1970: $0) } }

    static func standing(_ row: Database.Row, files: [StoredFile]) -> Standing? {
        guard let day = day(row), let state = row.text(1).flatMap(Standing.State.init) else { return nil }
        return Standing(
            day: day, state: state, retryAfter: row.integer(3), attempts: row.integer(2) ?? 0, reason: row.text(4),
            entry: entry(row, day: day, files: files))
    }

    private static func entry(_ row: Database.Row, day: Day, files: [StoredFile]) -> Entry? {
        guard let stem = row.text(5), let name = FileName(day: day, stem: stem), let fetched = row.integer(8),
            let json = row.blob(10).flatMap(Digest.init), let jsonBytes = row.integer(11)
        else { return nil }
        return Entry(
            name: name, title: row.text(6) ?? "", hasText: row.integer(7) == 1, files: files, fetched: fetched,
            content: row.blob(9).flatMap(Digest.init), json: json, jsonBytes: jsonBytes)
    }

    static func file(_ row: Database.Row) -> (day: Int, file: StoredFile)? {
        guard let day = row.integer(0), let role = row.text(1).flatMap(StoredFile.Role.init),
            let type = row.text(2).flatMap(MediaType.init), let address = WebAddress(row.text(3) ?? ""),
            let bytes = row.integer(4), let sha256 = row.blob(5).flatMap(Digest.init)
        else { return nil }
        let file = StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: row.integer(6),
            height: row.integer(7))
        return (day, file)
    }
}
