package import Apod
import Files
import Synchronization

/// Numbers about the mirror as a whole, or about another list.
extension Catalog {
    package func fact(_ name: Fact, of list: ListName? = nil) throws -> Int? {
        try integer("SELECT value FROM fact WHERE list = ? AND name = ?", .list(list), .text(name.rawValue))
    }

    /// An equal value is not written: a full disk must not refuse it.
    package func setFact(_ name: Fact, of list: ListName? = nil, _ value: Int) throws {
        try database.withLock { database in
            let change = "UPDATE SET value = excluded.value WHERE value IS NOT excluded.value"
            try database.run(
                "INSERT INTO fact VALUES (?, ?, ?) ON CONFLICT DO \(change)", .list(list), .text(name.rawValue),
                .integer(value))
        }
    }

    /// The end of the pause that the upstream asked for; nil if none goes on.
    package func quiet(at now: Int, of list: ListName? = nil) throws -> Int? {
        let moment = try fact(.quietUntil, of: list)
        return RetryPolicy.isPutOff(until: moment, at: now, believing: 86_400 + 1) ? moment : nil
    }

    package enum Fact: String {
        /// The first day of the range, chosen at the first run.
        case since
        /// When a refresh for all new days last succeeded; seconds since 1970.
        case lastRefresh = "last_refresh"
        /// The bytes of the newest day whose files were deleted.
        case released
        /// The edition of the gallery when it last showed all days; set to 0 with every change to them (`outdateGallery`).
        case gallery
        /// 0 when the sidecars are gone that are not wanted (`Sidecars`).
        case sidecars
        /// The end of the pause that the upstream asked for.
        case quietUntil = "quiet_until"
        /// Since when APOD Basic has not answered as itself; 0 when it does. Seconds since 1970.
        case silentSince = "silent_since"
        /// How long the history of the favorites was when favorites.json was last written.
        case exported
    }
}
