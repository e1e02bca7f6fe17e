package import Apod
import Files
import Synchronization

/// What is here of favorites.
extension Catalog {
    package typealias Face = (title: String?, picture: String?)

    /// The titles of some subjects, and the file of each to look at (or the JSON alone), below the root; nil for a picture
    /// that is not here.
    package func faces(of subjects: some Sequence<Subject>) throws -> [Subject: Face] {
        let faces = try all(
            """
            SELECT day.day, list, stem, title, state,
                \(Self.firstType) AS type
            FROM json_each(?) JOIN day ON day.day = value
            """, .days(subjects.map(\.day))
        ) { row -> (Subject, Face)? in
            guard let name = row.fileName else { return nil }
            let isPruned = row.text("state") == DayStatus.State.pruned.rawValue
            let file = isPruned ? nil : row.file(of: name)
            return (Subject(name), (title: row.text("title"), picture: file.map { name.path(of: $0) }))
        }
        return Dictionary(faces) { first, _ in first }
    }

    /// The items without an id among some subjects get that which their list gives to their name, as far as it tells.
    package func identified(_ subjects: some Sequence<Subject>) throws -> [Subject] {
        let ids = try ids(of: subjects.lazy.filter { $0.list != nil && $0.id == nil }.map(\.day))
        return subjects.map { subject in ids[subject.day].map(subject.with) ?? subject }
    }

    /// The item as it is called here; nil for a day, and for an item that is not here.
    package func calledHere(_ subject: Subject) throws -> Subject? {
        guard let list = subject.list, let id = subject.id else { return nil }
        return try name(ofItem: id, in: list).map { Subject($0, id: id) }
    }

    /// Whether a day's files are in the tree, as an SQL condition.
    private static let isHere = """
        (stem IS NOT NULL AND state NOT IN ('pruned', 'placeholder') AND (state <> 'failed'
            OR \(hasMain)))
        """

    /// The favorites to ask for: their day has begun, and its files are not in the tree.
    package func due(among favorites: Set<Day>, at now: Int) throws -> Set<Day> {
        try days(
            """
            SELECT value FROM json_each(?2) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere) AND value <= ?3 AND \(RetryPolicy.isDue(at: "?1"))
            """, .integer(now), .days(favorites), .day(RetryPolicy.latest(at: now)))
    }

    package typealias Awaited = (subject: Subject, state: DayStatus.State?, failure: Problem?)

    /// The favorites whose picture is not here, and what is known of them.
    package func pending(among favorites: Set<Subject>) throws -> [Awaited] {
        let subjects = Dictionary(favorites.map { ($0.day, $0) }) { $1 }
        let awaited = try all(
            """
            SELECT value, state, failure FROM json_each(?) LEFT JOIN day ON day.day = value
            WHERE NOT \(Self.isHere)
            """, .days(subjects.keys)
        ) { row -> Awaited? in
            row.day.flatMap { subjects[$0] }.map { subject in
                (subject, row.text("state").flatMap(DayStatus.State.init), row.failure)
            }
        }
        return awaited.sorted { $0.subject < $1.subject }
    }

    /// Ends the pause of days that NASA did not have: whoever wishes for a day is answered by NASA, and not by what it said
    /// before.
    package func askAgain(for days: Set<Day>) throws {
        if days.isEmpty { return }
        try database.withLock { database in
            try database.run(
                """
                UPDATE day SET retry_after = NULL
                WHERE state = 'absent' AND day IN (SELECT value FROM json_each(?))
                """, .days(days))
        }
    }

    /// The files of this size in the tree, JSON among them.
    package func files(ofSize bytes: Int) throws -> [TreeFile] {
        try all(
            """
            SELECT day.day, list, stem, type, number, sha256 FROM file JOIN day ON day.day = file.day
            WHERE bytes = ?1 AND stem IS NOT NULL
            UNION ALL SELECT day, list, stem, NULL, 1, json_sha256 FROM day WHERE json_bytes = ?1
            """, .integer(bytes)
        ) { row -> TreeFile? in
            guard let name = row.fileName, let sha256 = row.blob("sha256").flatMap(Digest.init) else { return nil }
            let file = row.file(of: name, number: row.integer("number") ?? 1)
            return TreeFile(subject: Subject(name), name: file, bytes: bytes, sha256: sha256)
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
