import Apod

/// An item's row: what each column is of it. What reads them back stands below.
enum ItemRow {
    static let columns: [(name: String, value: @Sendable (Item) -> Database.Value)] = [
        ("list", { .list($0.key.list) }),
        ("stem", { .optional($0.stored?.name.stem ?? $0.key.item?.stem) }),
        ("state", { .optional($0.state?.rawValue) }),
        ("attempts", { .integer($0.attempts) }),
        ("retry_after", { .optional($0.retryAfter) }),
        ("failure", { .optional($0.failure?.json.line) }),
        ("title", { .optional($0.stored?.title) }),
        ("has_text", { .optional($0.stored.map { $0.hasText ? 1 : 0 }) }),
        ("fetched", { .optional($0.stored?.mirror.fetched) }),
        ("mirror", { .optional($0.stored?.mirror.column) }),
        ("content", { .optional($0.stored?.content?.bytes) }),
        ("lacks", { .integer($0.stored?.lacks ?? 0) }),
        ("is_stand_in", { .flag($0.stored?.isStandIn ?? false) }),
        ("json_sha256", { .optional($0.stored?.json.bytes) }),
        ("json_bytes", { .optional($0.stored?.jsonBytes) }),
    ]

    /// Behind these, the days that its texts lead to. Without texts, those of the old ones stay.
    static let write = """
        INSERT INTO item (n, \(names), speaks_of) VALUES (?, ?\(String(repeating: ", ?", count: columns.count)))
        ON CONFLICT (n) DO UPDATE SET (\(names), speaks_of)
            = (\(columns.map { "excluded.\($0.name)" }.joined(separator: ", ")), coalesce(excluded.speaks_of, speaks_of))
        """

    private static var names: String { columns.map(\.name).joined(separator: ", ") }
}

extension Database.Row {
    /// From all columns of `item`; nil for a row that this program did not write.
    func item(files: [StoredFile]) -> Item? {
        let (known, state) = (text("state"), text("state").flatMap(Item.State.init))
        guard let key = day.map(Key.day) ?? fileName?.key, known == nil || state != nil else { return nil }
        return Item(
            key, state, retryAfter: integer("retry_after"),
            attempts: integer("attempts") ?? 0, failure: failure, entry: entry, stored: stored(files))
    }

    /// From the columns `list`, `stem`, `id`, `place` and `came`.
    var entry: ItemEntry? {
        guard let id = text("id"), let name = fileName?.key.item else { return nil }
        return ItemEntry(id: id, name: name, place: integer("place") ?? 0, came: integer("came"))
    }

    private func stored(_ files: [StoredFile]) -> Item.Stored? {
        guard let name = fileName, let fetched = integer("fetched"),
            let json = blob("json_sha256").flatMap(Digest.init), let jsonBytes = integer("json_bytes")
        else { return nil }
        var mirror = MirrorPart(fetched: fetched)
        if let column = text("mirror") { mirror.read(column: column) }
        (mirror.came, mirror.place) = (integer("came"), integer("place"))
        return Item.Stored(
            name: name, title: text("title") ?? "", hasText: integer("has_text") == 1, files: files, mirror: mirror,
            content: blob("content").flatMap(Digest.init), lacks: integer("lacks") ?? 0,
            isStandIn: integer("is_stand_in") == 1, json: json, jsonBytes: jsonBytes)
    }
}

/// A file's row.
enum FileRow {
    static let columns: [(name: String, value: @Sendable (StoredFile) -> Database.Value)] = [
        ("role", { .text($0.role.word) }), ("number", { .integer($0.role.number) }),
        ("type", { .text($0.type.rawValue) }), ("address", { .text($0.address.description) }),
        ("bytes", { .integer($0.bytes) }), ("sha256", { .blob($0.sha256.bytes) }),
        ("width", { .optional($0.width) }), ("height", { .optional($0.height) }),
        ("former", { .flag($0.isFormer) }), ("alt", { .optional($0.alt) }), ("rollover", { .flag($0.isRollover) }),
        ("neighbour", { .flag($0.isOfNeighbour) }), ("etag", { .optional($0.validators?.etag) }),
        ("modified", { .optional($0.validators?.modified) }),
    ]

    static let write = """
        INSERT INTO file (n, list, \(columns.map(\.name).joined(separator: ", ")))
        VALUES (?, ?\(String(repeating: ", ?", count: columns.count)))
        """
}

extension Database.Row {
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
