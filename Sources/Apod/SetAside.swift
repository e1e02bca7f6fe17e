/// What a person did not want, or what is another day's: only other files, or `sync DATE`, take the place of what is
/// here.
package struct SetAside: Sendable, Equatable {
    /// `Picture.content` of the records.
    package var records: Set<Digest> = []
    package var addresses: Set<WebAddress> = []
    package var contents: Set<Digest> = []

    package init() {}

    package init(record: Digest?, _ files: some Sequence<StoredFile>) {
        records = record.map { [$0] } ?? []
        addresses = Set(files.map(\.address))
        contents = Set(files.map(\.sha256))
    }

    package var isEmpty: Bool { records.isEmpty && addresses.isEmpty && contents.isEmpty }

    package func union(_ other: SetAside) -> SetAside {
        var all = self
        all.records.formUnion(other.records)
        all.addresses.formUnion(other.addresses)
        all.contents.formUnion(other.contents)
        return all
    }

    package func subtracting(_ other: SetAside) -> SetAside {
        var rest = self
        rest.records.subtract(other.records)
        rest.addresses.subtract(other.addresses)
        rest.contents.subtract(other.contents)
        return rest
    }

    package var json: JSON {
        func list(_ texts: some Sequence<String>) -> JSON { .array(texts.sorted().map(JSON.string)) }
        return .object([
            ("records", list(records.map(\.description))), ("urls", list(addresses.map(\.description))),
            ("sha256", list(contents.map(\.description))),
        ])
    }

    /// What does not read as one of them is left out.
    package init(_ text: JSONText?) {
        func list(_ name: String) -> [String] { text?[name]?.elements?.compactMap(\.string) ?? [] }
        records = Set(list("records").compactMap(Digest.init(hexadecimal:)))
        addresses = Set(list("urls").compactMap { WebAddress($0) })
        contents = Set(list("sha256").compactMap(Digest.init(hexadecimal:)))
    }
}

/// Something that the day's record names could not be had.
package struct Incomplete: Sendable, Equatable {
    package let reason: String
    /// `Picture.content` of the record that is waited for, where the day's JSON tells of the one before it.
    package let awaited: Digest?

    package init(reason: String, awaited: Digest? = nil) { (self.reason, self.awaited) = (reason, awaited) }

    package init?(_ text: JSONText?) {
        guard let reason = text?["reason"]?.string else { return nil }
        self.init(reason: reason, awaited: (text?["record"]?.string).flatMap(Digest.init(hexadecimal:)))
    }

    package var json: JSON {
        .object([("reason", .string(reason))] + (awaited.map { [("record", .string("\($0)"))] } ?? []))
    }
}
