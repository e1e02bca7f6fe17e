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
            SELECT n, CASE WHEN state = 'absent' AND NOT \(Item.isStored) THEN '.'
                WHEN NOT \(Item.isStored) THEN 'f' WHEN state = 'pruned' THEN 'p'
                WHEN state = 'failed' AND NOT \(Item.hasMain)
                THEN 'f' ELSE 'h' END AS shown
            FROM item INDEXED BY unsettled WHERE list = '' AND state <> 'mirrored'
            """
        ) { row -> (day: Day, state: CalendarState)? in
            guard let day = row.day, let state = row.text("shown").flatMap(CalendarState.init) else { return nil }
            return (day, state)
        }
        // Reading an index is much faster than reading the table.
        let known = try all("SELECT n FROM item INDEXED BY stored WHERE list = '' AND \(Item.isStored)") { $0.day }
        return (known, others)
    }

    /// The newest days of which something is in the tree, newest first.
    package func newestStored(atMost limit: Int) throws -> [Day] {
        try all(
            "SELECT n FROM item WHERE list = '' AND \(Item.isStored) ORDER BY n DESC LIMIT ?", .integer(limit)
        ) { $0.day }
    }
}
