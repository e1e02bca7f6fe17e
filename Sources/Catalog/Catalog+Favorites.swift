package import Apod
package import Files
import Synchronization

/// What is here of the days that are favorites, and of the items of other lists.
extension Catalog {
    /// What the catalog of a list says, or this one of days. A list of which nothing can be read says nothing.
    private func ask<Value>(
        _ list: ListName?, or nothing: Value, _ question: (Catalog) throws(StorageError) -> Value
    ) throws(StorageError) -> Value {
        guard let list else { return try question(self) }
        return lists[list].flatMap { try? question($0) } ?? nothing
    }

    package func status(of subject: Subject) throws(StorageError) -> DayStatus? {
        try ask(subject.list, or: nil) { catalog throws(StorageError) in try catalog.status(of: subject.day) }
    }

    /// The same of a range of days, or of items of a list.
    package func statuses(in range: ClosedRange<Day>, of list: ListName?) throws(StorageError) -> [DayStatus] {
        try ask(list, or: []) { catalog throws(StorageError) in try catalog.statuses(in: range) }
    }

    package typealias Face = (title: String?, picture: String?)

    /// The titles of some subjects, and the file of each to look at (or the JSON alone), below the root; nil for a picture
    /// that is not here.
    package func faces(of subjects: some Sequence<Subject>) throws(StorageError) -> [Subject: Face] {
        var faces: [Subject: Face] = [:]
        for (list, subjects) in Dictionary(grouping: subjects, by: \.list) {
            let found = try ask(list, or: []) { catalog throws(StorageError) in
                try catalog.faces(of: subjects.map(\.day), in: list)
            }
            faces.merge(found) { first, _ in first }
        }
        return faces
    }

    private func faces(of days: [Day], in list: ListName?) throws(StorageError) -> [(Subject, Face)] {
        try all(
            """
            SELECT day.day, stem, title, state,
                \(Self.firstType) AS type
            FROM json_each(?) JOIN day ON day.day = value
            """, .days(days)
        ) { row in
            guard let name = row.fileName else { return nil }
            let subject = Subject(name, of: list)
            let isPruned = row.text("state") == DayStatus.State.pruned.rawValue
            let file = isPruned ? nil : row.file(of: name)
            return (subject, (title: row.text("title"), picture: file.map(subject.path)))
        }
    }

    /// The items without an id among some subjects get that which their list gives to their name, as far as it tells.
    package func identified(_ subjects: some Sequence<Subject>) throws(StorageError) -> [Subject] {
        var ids: [Subject: String] = [:]
        for (list, items) in Dictionary(grouping: subjects.lazy.filter { $0.list != nil && $0.id == nil }, by: \.list) {
            let found = try ask(list, or: [:]) { catalog throws(StorageError) in try catalog.ids(of: items.map(\.day)) }
            for item in items { ids[item] = found[item.day] }
        }
        return subjects.map { subject in ids[subject].map(subject.with) ?? subject }
    }

    /// The item as it is called here; nil for a day, and for an item that is not here.
    package func calledHere(_ subject: Subject) throws(StorageError) -> Subject? {
        guard let id = subject.id else { return nil }
        let name = try ask(subject.list, or: nil) { catalog throws(StorageError) in try catalog.name(ofItem: id) }
        return name.map { Subject($0, of: subject.list, id: id) }
    }

    /// Whether a day's files are in the tree, as an SQL condition.
    private static let isHere = """
        (stem IS NOT NULL AND state NOT IN ('pruned', 'placeholder') AND (state <> 'failed'
            OR \(hasMain)))
        """

    /// The favorites to ask for: their day has begun, and its files are not in the tree.
    package func due(among favorites: Set<Day>, at now: Int) throws(StorageError) -> Set<Day> {
        try days(
            """
            SELECT value FROM json_each(?2) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere) AND value <= ?3 AND \(RetryPolicy.isDue(at: "?1"))
            """, .integer(now), .days(favorites), .day(RetryPolicy.latest(at: now)))
    }

    package typealias Awaited = (subject: Subject, state: DayStatus.State?, failure: Failure?)

    /// The favorites whose picture is not here, and what is known of them.
    package func pending(among favorites: Set<Subject>) throws(StorageError) -> [Awaited] {
        var awaited: [Awaited] = []
        for (list, favorites) in Dictionary(grouping: favorites, by: \.list) {
            let subjects = Dictionary(favorites.map { ($0.day, $0) }) { $1 }
            let found = try ask(list, or: subjects.keys.map { ($0, nil, nil) }) { catalog throws(StorageError) in
                try catalog.pending(among: Set(subjects.keys))
            }
            awaited += found.compactMap { day, state, failure in subjects[day].map { ($0, state, failure) } }
        }
        return awaited.sorted { $0.subject < $1.subject }
    }

    private func pending(among days: Set<Day>) throws(StorageError) -> [(Day, DayStatus.State?, Failure?)] {
        try all(
            """
            SELECT value, state, failure FROM json_each(?) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere)
            """, .days(days)
        ) { row in
            row.day.map { ($0, row.text("state").flatMap(DayStatus.State.init), row.failure) }
        }
    }

    /// Ends the pause of days that NASA did not have: whoever wishes for a day is answered by NASA, and not by what it said
    /// before.
    package func askAgain(for days: Set<Day>) throws(StorageError) {
        if days.isEmpty { return }
        try database.withLock { database throws(StorageError) in
            try database.run(
                """
                UPDATE day SET retry_after = NULL
                WHERE state = 'absent' AND day IN (SELECT value FROM json_each(?))
                """, .days(days))
        }
    }

    /// The files of this size in the trees of all lists, JSON among them.
    package func files(ofSize bytes: Int) throws(StorageError) -> [TreeFile] {
        var files: [TreeFile] = []
        for list in [nil] + lists.names {
            files += try ask(list, or: []) { catalog throws(StorageError) in
                try catalog.files(ofSize: bytes, in: list)
            }
        }
        return files
    }

    private func files(ofSize bytes: Int, in list: ListName?) throws(StorageError) -> [TreeFile] {
        try all(
            """
            SELECT day.day, stem, type, number, sha256 FROM file JOIN day ON day.day = file.day
            WHERE bytes = ?1 AND stem IS NOT NULL
            UNION ALL SELECT day, stem, NULL, 1, json_sha256 FROM day WHERE json_bytes = ?1
            """, .integer(bytes)
        ) { row -> TreeFile? in
            guard let name = row.fileName, let sha256 = row.blob("sha256").flatMap(Digest.init) else { return nil }
            let file = row.file(of: name, number: row.integer("number") ?? 1)
            return TreeFile(subject: Subject(name, of: list), name: file, bytes: bytes, sha256: sha256)
        }
    }
}

/// A file in its place in the tree.
package struct TreeFile: Sendable, Equatable {
    package let subject: Subject
    package let name: String
    package let bytes: Int
    package let sha256: Digest

    package init(subject: Subject, name: String, bytes: Int, sha256: Digest) {
        (self.subject, self.name, self.bytes, self.sha256) = (subject, name, bytes, sha256)
    }
}
