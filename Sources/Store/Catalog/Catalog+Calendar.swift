package import Apod
import Files

/// Queries about many days at once.
extension Catalog {
    /// The state of a day in the gallery's calendar, and its letter there.
    package enum CalendarState: String, Sendable {
        /// There is a picture to see or, where the upstream has none, a text to read.
        case here = "h"
        /// Its text is here; its files were deleted.
        case pruned = "p"
        case failed = "f"
        /// The upstream has no such day.
        case absent = "."
    }

    /// The states of all days in the catalog: those in `known` are `here`, except for `others`.
    package func calendarStates() throws -> (
        known: [Day], others: [(day: Day, state: CalendarState)]
    ) {
        let others = try all(
            """
            SELECT day, CASE WHEN state = 'absent' AND stem IS NULL THEN '.'
                WHEN stem IS NULL THEN 'f' WHEN state = 'pruned' THEN 'p'
                WHEN state = 'failed' AND NOT \(Self.hasMain)
                THEN 'f' ELSE 'h' END AS shown
            FROM day INDEXED BY unsettled WHERE state <> 'mirrored' AND day > 0
            """
        ) { row -> (day: Day, state: CalendarState)? in
            guard let day = row.day, let state = row.text("shown").flatMap(CalendarState.init) else { return nil }
            return (day, state)
        }
        // Reading all of an index is much faster than reading all of the table.
        return (try all("SELECT day FROM day INDEXED BY json_bytes WHERE day > 0") { $0.day }, others)
    }

    /// The newest days of which something is in the tree, newest first.
    package func newestStored(atMost limit: Int) throws -> [Day] {
        try all(
            "SELECT day FROM day WHERE day > 0 AND stem IS NOT NULL ORDER BY day DESC LIMIT ?", .integer(limit)
        ) { $0.day }
    }
}
