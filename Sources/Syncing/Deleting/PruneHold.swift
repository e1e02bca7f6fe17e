package import Apod
internal import Configuration

/// A round of retention that would delete so much that it may be a mistake: it waits until somebody says `prune`.
package struct PruneHold: Sendable, Equatable {
    /// `keep` and `max-total`, as they ask for it.
    package let rule: String
    package let days: Int
    package let bytes: Int
    package let oldest: Day
    package let newest: Day

    package init(rule: String, days: Int, bytes: Int, oldest: Day, newest: Day) {
        (self.rule, self.days, self.bytes, self.oldest, self.newest) = (rule, days, bytes, oldest, newest)
    }

    /// More than thirty, and more than a tenth of those that are there.
    static func isLarge(_ count: Int, of there: Int) -> Bool { count > 30 && isMuch(count, of: there) }

    /// More than a tenth.
    static func isMuch(_ count: Int, of there: Int) -> Bool { count * 10 > there }

    /// What it is about.
    package var extent: String { "\(days) days, \(Size.text(bytes)), \(Day.extent(of: days, oldest, newest))" }

    /// For the one line that systemd shows.
    package var line: String { "\(days) days to be deleted by `apod-mirror prune` (\(rule))" }

    /// `isServed`: a service deletes them, by the settings that it has read.
    package func words(isServed: Bool) -> String {
        """
        the pictures of \(extent), are to be deleted (\(rule)). As these are so many, they stay until you say \
        `apod-mirror prune`; `apod-mirror prune --dry-run` lists them. To keep them, correct `keep` or \
        `max-total`\(isServed ? " and reload the service" : ""), or make them favorites
        """
    }

    package var members: [(String, JSON)] {
        [
            ("days", .integer(days)), ("bytes", .integer(bytes)), ("oldest", .string("\(oldest)")),
            ("newest", .string("\(newest)")), ("settings", .string(rule)),
        ]
    }
}

extension Settings {
    /// The settings that have pictures deleted, by their keys.
    package var limits: [String] {
        [("keep", keep != nil), ("max-total", maxTotal != nil)].filter(\.1).map(\.0)
    }

    /// That the limits, of which there is one at least, do not allow something.
    package func words(notAllowing what: String) -> String {
        let names = limits.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names) \(limits.count == 1 ? "does" : "do") not allow \(what)"
    }

    /// What is deleted by, as it stands in a file.
    package var retention: String {
        let rules = [keep.map { "keep = \($0)" }, maxTotal.map { "max-total = \(Size.short($0))" }]
        return rules.allSatisfy { $0 == nil } ? "keep = forever" : rules.compactMap(\.self).joined(separator: ", ")
    }

    /// What becomes of days that are asked for by name, and are not to stay.
    package func words(forUnkept days: [Day]) -> String {
        let (are, them) = days.count == 1 ? ("is", "it") : ("are", "them")
        let dates = days.count > 3 ? "DATE" : days.map(\.description).joined(separator: " ")
        return """
            \(Day.names(days, atMost: 3)) \(are) not to stay (\(retention)), and will be deleted again. \
            `apod-mirror favorites add \(dates)` keeps \(days.count > 3 ? "one" : them)
            """
    }
}
