internal import Apod

/// Rows as values; nil for a row that this program did not write.
extension Database.Row {
    static let dayColumns = """
        day, state, attempts, retry_after, failure, stem, title, has_text, fetched, content, json_sha256, json_bytes
        """
    static let fileColumns = "role, type, address, bytes, sha256, width, height, former, etag, modified"

    /// The day in the first column.
    var day: Day? { integer(0).flatMap { Day(daysSince1970: $0) } }

    /// The name of the day's file of a type, or of its JSON where there is none.
    func name(stem: Int32, type: Int32) -> String? {
        guard let day, let name = text(stem).flatMap({ FileName(day: day, stem: $0) }) else { return nil }
        return name.with(text(type).flatMap(MediaType.init)?.suffix ?? Metadata.suffix)
    }

    func failure(_ column: Int32) -> Failure? { text(column).flatMap { Failure(try? JSONText(Array($0.utf8))) } }

    func status(files: [StoredFile]) -> DayStatus? {
        guard let day, let state = text(1).flatMap(DayStatus.State.init) else { return nil }
        return DayStatus(
            day: day, state: state, retryAfter: integer(3), attempts: integer(2) ?? 0, failure: failure(4),
            stored: stored(of: day, files: files))
    }

    private func stored(of day: Day, files: [StoredFile]) -> StoredDay? {
        guard let stem = text(5), let name = FileName(day: day, stem: stem), let fetched = integer(8),
            let json = blob(10).flatMap(Digest.init), let jsonBytes = integer(11)
        else { return nil }
        return StoredDay(
            name: name, title: text(6) ?? "", hasText: integer(7) == 1, files: files, fetched: fetched,
            content: blob(9).flatMap(Digest.init), json: json, jsonBytes: jsonBytes)
    }

    var file: (day: Int, file: StoredFile)? {
        guard let day = integer(0), let role = text(1).flatMap(StoredFile.Role.init),
            let type = text(2).flatMap(MediaType.init), let address = WebAddress(text(3) ?? ""),
            let bytes = integer(4), let sha256 = blob(5).flatMap(Digest.init)
        else { return nil }
        let file = StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: integer(6),
            height: integer(7), isFormer: integer(8) == 1,
            validators: Validators(etag: text(9), modified: text(10)))
        return (day, file)
    }
}
