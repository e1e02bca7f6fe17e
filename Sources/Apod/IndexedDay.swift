/// A day in the published index (`.apod-mirror/days/2026.json`): what serving needs to know without the catalog.
///
/// The index has a file for each year, with its days, oldest first, and the days that NASA is known not to have. It is
/// made by whoever writes the mirror, and read by whoever serves it.
///
/// Another list has an index of its own (`.apod-mirror/lists/NAME/days`), with items in the place of days.
package struct IndexedDay: Sendable, Equatable {
    package let name: FileName
    package let title: String
    /// The files in the tree; none of a day that was pruned.
    package let files: [StoredFile]
    /// Whether the gallery has the smaller copies of its picture.
    package let hasCopies: Bool
    /// The SHA-256 of the day's JSON file.
    package let document: Digest
    package let documentBytes: Int

    package var key: Key { name.key }
    /// nil for an item of another list.
    package var day: Day? { key.day }

    package init(
        name: FileName, title: String, files: [StoredFile], hasCopies: Bool, document: Digest,
        documentBytes: Int
    ) {
        self.name = name
        self.title = title
        self.files = files
        self.hasCopies = hasCopies
        self.document = document
        self.documentBytes = documentBytes
    }
}

/// The index of one year; 0: of items without a date.
package struct IndexedYear: Sendable, Equatable {
    package static let folder = "days"
    /// Below the mirror's own folder.
    package static func folder(of list: ListName?) -> String { list?.path(folder) ?? folder }
    package static func name(_ year: Int) -> String { "\(year).json" }

    /// Oldest first.
    package let days: [IndexedDay]
    /// Days that NASA is known not to have.
    package let absent: Set<Day>

    package init(days: [IndexedDay], absent: Set<Day>) {
        (self.days, self.absent) = (days, absent)
    }

    package var document: [UInt8] {
        var bytes = "{\"days\":[\n".bytes
        bytes += days.map(\.json.compact).joined(separator: ",\n".utf8)
        bytes += "\n],\"absent\":".utf8
        return bytes + JSON.days(absent).compact + "}\n".utf8
    }

    /// nil unless it is an index.
    package init?(_ bytes: [UInt8], of list: ListName? = nil) {
        guard let members = try? JSONText(bytes).members, let days = members["days"]?.elements,
            let absent = members["absent"]?.days
        else { return nil }
        self.init(days: days.compactMap { IndexedDay($0, of: list) }, absent: absent)
    }
}

extension IndexedDay {
    fileprivate var json: JSON {
        .object([
            ("stem", .string(name.stem)),
            ("title", .string(title)),
            ("files", .array(files.map { $0.told.json(named: name) })),
            ("copies", .bool(hasCopies)),
            ("json", .string("\(document)")),
            ("bytes", .integer(documentBytes)),
        ])
    }

    fileprivate init?(_ text: JSONText, of list: ListName?) {
        guard let members = text.members,
            let name = (members["stem"]?.string).flatMap({ FileName(stem: $0, of: list) }),
            let files = members["files"]?.elements, let bytes = members["bytes"]?.integer,
            let document = members["json"]?.digest
        else { return nil }
        self.init(
            name: name, title: members["title"]?.string ?? "",
            files: files.compactMap { StoredFile($0, named: name) },
            hasCopies: members["copies"]?.bool ?? false, document: document, documentBytes: bytes)
    }
}
