package import Apod
import Files

/// Queries about many days at once.
extension Catalog {
    /// The state of a day in the gallery's calendar.
    package enum CalendarState: Int, Sendable {
        /// There is a picture to see or, where the upstream has none, a text to read.
        case here = 1
        /// Its text is here; its files were deleted.
        case pruned
        case failed
        /// The upstream has no such day.
        case absent
    }

    /// The states of all days in the catalog: those in `known` are `here`, except for `others`.
    package func calendarStates() throws -> (
        known: [Day], others: [(day: Day, state: CalendarState)]
    ) {
        let others = try all(
            """
            SELECT day, CASE WHEN state = 'absent' AND stem IS NULL THEN 4
                WHEN stem IS NULL THEN 3 WHEN state = 'pruned' THEN 2
                WHEN state = 'failed' AND NOT \(Self.hasMain)
                THEN 3 ELSE 1 END AS shown
            FROM day INDEXED BY unsettled WHERE state <> 'mirrored' AND day > 0
            """
        ) { row -> (day: Day, state: CalendarState)? in
            guard let day = row.day, let state = row.integer("shown").flatMap(CalendarState.init) else { return nil }
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
