package import Apod
import Files
import Synchronization

/// Why the last refresh for all new days failed.
package struct LastFailure: Sendable, Equatable, Codable {
    package let failure: Problem
    package let at: Moment

    package init(_ failure: Problem, at moment: Int) { (self.failure, at) = (failure, Moment(moment)) }
}

/// How another list was read.
package struct ListReading: Sendable, Codable {
    /// Where and by what rules (`PictureList.reading`).
    package let rules: String
    /// Whether a walk over its pages came to its end. Else what is behind a known page may be new.
    package let isWhole: Bool
    /// Of its first page.
    package let validators: Validators?
    /// When all its pages were read last; seconds since 1970.
    package let walked: Int?

    package init(rules: String, isWhole: Bool, validators: Validators? = nil, walked: Int? = nil) {
        (self.rules, self.isWhole, self.validators, self.walked) = (rules, isWhole, validators, walked)
    }

    /// Whether nothing but the newest can be new. What is behind a known page may be corrected, so that all pages are read
    /// once a week.
    package func covers(_ rules: String, at now: Int) -> Bool {
        isWhole && rules == self.rules && walked.map { (0..<7 * 86_400).contains(now - $0) } ?? false
    }
}

/// What is wrong, and since when.
extension Catalog {
    /// Something wrong that does not show itself again (schema.sql). Of another list, `asked`: by what rules it was asked for.
    package enum Remembered: String { case lastFailure, unwritable, leftAlone, findings, reading, asked }

    /// nil for none, and for what another version wrote.
    package func condition<Value: Decodable>(_ name: Remembered, of list: ListName? = nil) throws -> Value? {
        let sql = "SELECT value FROM fact WHERE list = ? AND name = ?"
        let text = try first(sql, .list(list), .text(name.rawValue)) { $0.text("value") }
        return text.flatMap { (try? JSONText($0.bytes))?.decoded() }
    }

    /// nil: it is mended.
    package func setCondition(
        _ name: Remembered, of list: ListName? = nil, _ value: (some Encodable)?
    ) throws {
        try database.withLock { database in
            guard let value else {
                return try database.run(
                    "DELETE FROM fact WHERE list = ? AND name = ?", .list(list), .text(name.rawValue))
            }
            let change = "UPDATE SET value = excluded.value WHERE value <> excluded.value"
            try database.run(
                "INSERT INTO fact VALUES (?, ?, ?) ON CONFLICT DO \(change)", .list(list), .text(name.rawValue),
                .text(JSON(value).line))
        }
    }

    /// nil where another list was never read, or the catalog was made anew.
    package func reading(of list: ListName) throws -> ListReading? { try condition(.reading, of: list) }

    package func setReading(of list: ListName, _ reading: ListReading) throws {
        try setCondition(.reading, of: list, reading)
    }

    package func lastFailure(of list: ListName? = nil) throws -> LastFailure? {
        try condition(.lastFailure, of: list)
    }

    /// Notes the failure; nil: the refresh succeeded.
    package func setLastFailure(of list: ListName? = nil, _ failure: LastFailure?) throws {
        try setCondition(.lastFailure, of: list, failure)
    }
}
