package import Apod
package import Files
import Synchronization

/// Why the last refresh for all new days failed.
package struct LastFailure: Sendable, Equatable {
    package let failure: Failure
    /// Seconds since 1970.
    package let moment: Int

    package init(_ failure: Failure, at moment: Int) { (self.failure, self.moment) = (failure, moment) }
}

/// What is wrong, and since when.
extension Catalog {
    /// Something wrong that does not show itself again (schema.sql).
    package enum Remembered: String { case lastFailure, unwritable, leftAlone, findings, validators }

    package func condition(_ name: Remembered) throws(StorageError) -> JSONText? {
        let text = try first("SELECT data FROM condition WHERE name = ?", .text(name.rawValue)) { $0.text("data") }
        return text.flatMap { try? JSONText(Array($0.utf8)) }
    }

    /// nil: it is mended.
    package func setCondition(_ name: Remembered, _ data: JSON?) throws(StorageError) {
        try database.withLock { database throws(StorageError) in
            guard let data else {
                return try database.run("DELETE FROM condition WHERE name = ?", .text(name.rawValue))
            }
            let change = "UPDATE SET data = excluded.data WHERE data <> excluded.data"
            try database.run(
                "INSERT INTO condition VALUES (?, ?) ON CONFLICT DO \(change)", .text(name.rawValue), .text(data.line))
        }
    }

    /// Those of a list's first page, when all of the list was here. `reading`: how the list is read, as by its rules; nil
    /// where it was read in another way.
    package func listValidators(reading: String) throws(StorageError) -> Validators? {
        guard let json = try condition(.validators), json["reading"]?.string == reading else { return nil }
        return Validators(etag: json["etag"]?.string, modified: json["modified"]?.string)
    }

    package func setListValidators(_ validators: Validators?, reading: String) throws(StorageError) {
        try setCondition(
            .validators,
            validators.map {
                .object([
                    ("reading", .string(reading)), ("etag", .optional($0.etag)), ("modified", .optional($0.modified)),
                ])
            })
    }

    package func lastFailure() throws(StorageError) -> LastFailure? {
        guard let json = try condition(.lastFailure), let failure = Failure(json), let moment = json["at"]?.integer
        else { return nil }
        return LastFailure(failure, at: moment)
    }

    /// Notes the failure; nil: the refresh succeeded.
    package func setLastFailure(_ failure: LastFailure?) throws(StorageError) {
        try setCondition(
            .lastFailure,
            failure.map { .sparse($0.failure.members + [("at", .integer($0.moment))]) })
    }
}
