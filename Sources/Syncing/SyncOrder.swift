package import Apod
package import Configuration

/// What `sync` is to fetch: some days, or the missing days of a range.
package struct SyncOrder: Sendable, Equatable {
    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    package let days: Set<Day>
    /// nil: as the settings say.
    package let since: Day?
    /// nil: today.
    package let until: Day?
    /// The settings of fetching given with the command, by key.
    package let settings: [String: String]

    package init(
        days: Set<Day> = [], since: Day? = nil, until: Day? = nil, settings: [String: String] = [:]
    ) {
        self.days = days
        self.since = since
        self.until = until
        self.settings = settings
    }

    /// Whether days are named, or both ends of a range. They are fetched whatever `keep` and `max-total` say, and
    /// nothing is deleted to make room for them.
    package var isByName: Bool { !days.isEmpty || since != nil && until != nil }

    package func applied(to settings: Settings) -> Settings {
        var settings = settings.fetching(by: self.settings)
        if let since { settings.since = since }
        if isByName { (settings.keep, settings.maxTotal) = (nil, nil) }
        return settings
    }

    /// Throws if the range is empty. `since`: the first day to mirror, from the order or the settings.
    package func check(since: Day) throws(Mistake) {
        guard days.isEmpty, let until, until < since else { return }
        throw Mistake(
            description: self.since == nil
                ? "--until \(until) is before the first day to mirror, \(since); give --since too"
                : "--until \(until) is before --since \(since)")
    }

    /// Returns the days that the order names.
    package func named(among days: [Day]) -> [Day] {
        guard self.days.isEmpty else { return days.filter(self.days.contains) }
        guard let since, let until else { return [] }
        return days.filter { $0 >= since && $0 <= until }
    }

    package func nothing(since: Day, today: Day) -> String {
        if since > today { return "nothing to fetch: \(since) is not published yet" }
        return "nothing to fetch: keep and max-total leave no day until \(until ?? today)"
    }
}
