package import Apod
internal import Configuration

/// A deletion so large that it may be a mistake: it waits until a person says `prune`.
package struct PruneHold: Sendable, Equatable {
    /// The settings that ask for it, such as `keep = 30d`.
    package let rule: String
    package let days: Int
    package let bytes: Int
    package let oldest: Day
    package let newest: Day

    package init(rule: String, days: Int, bytes: Int, oldest: Day, newest: Day) {
        (self.rule, self.days, self.bytes, self.oldest, self.newest) = (rule, days, bytes, oldest, newest)
    }

    package var extent: String { "\(days) days, \(Size.text(bytes)), \(Day.extent(of: days, oldest, newest))" }

    /// For the one line that systemd shows.
    package var line: String { "\(days) days to be deleted by `apod-mirror prune` (\(rule))" }

    package var words: String {
        """
        the pictures of \(extent), are to be deleted (\(rule)). As these are so many, they stay until you run \
        `apod-mirror prune`; `apod-mirror prune --dry-run` lists them. To keep them, correct `keep` or \
        `max-total`, or make them favorites
        """
    }

    package var members: [(String, JSON)] {
        [
            ("days", .integer(days)), ("bytes", .integer(bytes)), ("oldest", .day(oldest)),
            ("newest", .day(newest)), ("settings", .string(rule)),
        ]
    }
}

extension Settings {
    /// The keys of the settings that have pictures deleted.
    package var limits: [String] {
        [("keep", keep != nil), ("max-total", maxTotal != nil)].filter(\.1).map(\.0)
    }

    /// Says that the limits, of which at least one is set, do not allow something.
    package func words(notAllowing what: String) -> String {
        let names = limits.map { "`\($0)`" }.joined(separator: " and ")
        return "\(names) \(limits.count == 1 ? "does" : "do") not allow \(what)"
    }

    /// The limits as they stand in a settings file.
    package var retention: String {
        let rules = [keep.map { "keep = \($0)" }, maxTotal.map { "max-total = \(Size.short($0))" }]
        return rules.allSatisfy { $0 == nil } ? "keep = forever" : rules.compactMap(\.self).joined(separator: ", ")
    }

    /// Says that days asked for by name will be deleted again.
    package func words(forUnkept days: [Day]) -> String {
        let (are, them) = days.count == 1 ? ("is", "it") : ("are", "them")
        let dates = days.count > 3 ? "DATE" : days.map(\.description).joined(separator: " ")
        return """
            \(Day.names(days, atMost: 3)) \(are) not to stay (\(retention)), and will be deleted again. \
            `apod-mirror favorites add \(dates)` keeps \(days.count > 3 ? "one" : them)
            """
    }
}
