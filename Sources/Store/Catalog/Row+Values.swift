import Apod

/// Rows as values; nil for a row that this program did not write.
extension Database.Row {
    /// The day whose row has the number in the first column.
    var day: Day? { integer(0).flatMap { Day(daysSince1970: $0) } }

    /// From the columns `list` and `stem`.
    var fileName: FileName? {
        guard let stem = text("stem"), let list = text("list") else { return nil }
        if list.isEmpty { return FileName(stem: stem) }
        return ListName(list).flatMap { FileName(stem: stem, of: $0) }
    }

    /// The file of a type, or the JSON where there is none. `number`: that of a further picture.
    func file(of name: FileName, number: Int = 1) -> String {
        name.with(text("type").flatMap(MediaType.init)?.suffix ?? FileName.json, number: number)
    }

    var failure: Problem? { text("failure").flatMap { try? JSONText($0.bytes) }.flatMap(Problem.init) }

    func status(files: [StoredFile]) -> DayStatus? {
        guard let key = day.map(Key.day) ?? fileName?.key, let state = text("state").flatMap(DayStatus.State.init)
        else { return nil }
        return DayStatus(
            key: key, state: state, retryAfter: integer("retry_after"), attempts: integer("attempts") ?? 0,
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

    var file: (n: Int, file: StoredFile)? {
        guard let n = integer("n"), let number = integer("number"),
            let role = text("role").flatMap({ StoredFile.Role($0, number: number) }),
            let type = text("type").flatMap(MediaType.init), let address = WebAddress(text("address") ?? ""),
            let bytes = integer("bytes"), let sha256 = blob("sha256").flatMap(Digest.init)
        else { return nil }
        let file = StoredFile(
            role: role, type: type, address: address, bytes: bytes, sha256: sha256, width: integer("width"),
            height: integer("height"), isFormer: integer("former") == 1, alt: text("alt"),
            isRollover: integer("rollover") == 1, isOfNeighbour: integer("neighbour") == 1,
            validators: Validators(etag: text("etag"), modified: text("modified")))
        return (n, file)
    }
}
