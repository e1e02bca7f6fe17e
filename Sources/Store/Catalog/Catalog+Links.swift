package import Apod
import Files

/// Which days' texts lead to which days.
extension Catalog {
    /// Newest first.
    package func days(speakingOf day: Day) throws -> [Day] {
        try all("SELECT n \(Self.links) AND value = ? ORDER BY 1 DESC", .day(day)) { $0.day }
    }

    /// Oldest first.
    package func links() throws -> [(day: Day, target: Day)] {
        try all("SELECT n, value \(Self.links) ORDER BY 1, 2") { row in
            guard let day = row.day, let target = row.integer(1).flatMap({ Day(daysSince1970: $0) }) else { return nil }
            return (day, target)
        }
    }

    private static let links = "FROM item, json_each(speaks_of) WHERE speaks_of <> '[]'"
}
