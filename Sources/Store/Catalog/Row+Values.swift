import Apod

/// Rows as values; nil for a row that this program did not write.
extension Database.Row {
    /// The day in the first column.
    var day: Day? { integer(0).flatMap { Day(stored: $0) } }

    /// From the columns `stem` and `list`.
    var fileName: FileName? {
        guard let day, let stem = text("stem") else { return nil }
        if !day.isItem { return FileName(day: day, stem: stem) }
        return text("list").flatMap { ListName($0) }.flatMap { FileName(stemOfItem: stem, of: $0) }
    }

    /// The file of a type, or the JSON where there is none. `number`: that of a further picture.
    func file(of name: FileName, number: Int = 1) -> String {
        name.with(text("type").flatMap(MediaType.init)?.suffix ?? FileName.json, number: number)
    }

    var failure: Problem? { text("failure").flatMap { try? JSONText($0.bytes) }.flatMap(Problem.init) }

    func status(files: [StoredFile]) -> DayStatus? {
        guard let day, let state = text("state").flatMap(DayStatus.State.init) else { return nil }
        return DayStatus(
            day: day, state: state, retryAfter: integer("retry_after"), attempts: integer("attempts") ?? 0,
            failure: failure, stored: stored(files))
    }

    private func stored(_ files: [StoredFile]) -> StoredDay? {
        guard let name = fileName, let fetched = integer("fetched"),
            let json = blob("json_sha256").flatMap(Digest.init), let jsonBytes = integer("json_bytes")
        else { return nil }
        return StoredDay(
            name: name, title: text("title") ?? "", hasText: integer("has_text") == 1, files: files, fetched: fetched,
            content: blob("content").flatMap(Digest.init), lacks: integer("lacks") ?? 0,
            isStandIn: integer("is_stand_in") == 1, json: json, jsonBytes: jsonBytes)
    }

    var file: (day: Int, file: StoredFile)? {
        guard let day = integer("day"), let number = integer("number"),
            let role = text("role").flatMap({ StoredFile.Role($0, number: number) }),
            let type = text("type").flatMap(MediaType.init), let address = WebAddress(text("address") ?? ""),
            let bytes = integer("bytes"), let sha256 = blob("sha256").flatMap(Digest.init)
        else { return nil }
        let file = StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: integer("width"),
            height: integer("height"), isFormer: integer("former") == 1, alt: text("alt"),
            isRollover: integer("rollover") == 1, isOfNeighbour: integer("neighbour") == 1,
            validators: Validators(etag: text("etag"), modified: text("modified")))
        return (day, file)
    }
}
