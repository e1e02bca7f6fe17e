package import Apod
package import Configuration

/// What `sync` is to fetch: some days, or what is missing in a range.
package struct SyncOrder: Sendable, Equatable {
    package struct Mistake: Error, CustomStringConvertible {
        package let description: String
    }

    package let days: Set<Day>
    /// nil: as the settings say.
    package let since: Day?
    /// nil: today.
    package let until: Day?
    /// The settings of fetching that were given with it, by their keys.
    package let settings: [String: String]

    package init(
        days: Set<Day> = [], since: Day? = nil, until: Day? = nil, settings: [String: String] = [:]
    ) {
        self.days = days
        self.since = since
        self.until = until
        self.settings = settings
    }

    /// What is asked for by name is fetched, whether it would be kept or not, and costs nothing else its place.
    package var isByName: Bool { !days.isEmpty || since != nil && until != nil }

    package func applied(to settings: Settings) -> Settings {
        var settings = settings.fetching(by: self.settings)
        if let since { settings.since = since }
        if isByName { (settings.keep, settings.maxTotal) = (nil, nil) }
        return settings
    }

    /// `since`: the first day to mirror, as the order says or else the settings.
    package func check(since: Day) throws(Mistake) {
        guard days.isEmpty, let until, until < since else { return }
        throw Mistake(
            description: self.since == nil
                ? "--until \(until) is before the first day to mirror, \(since); give --since too"
                : "--until \(until) is before --since \(since)")
    }

    /// Of some days, those that are asked for by name.
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
