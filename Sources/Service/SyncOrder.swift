package import Apod

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

    package init(days: Set<Day> = [], since: Day? = nil, until: Day? = nil) {
        self.days = days
        self.since = since
        self.until = until
    }

    /// `first`: of what is to be mirrored.
    package func wish(from first: Day, today: Day) throws(Mistake) -> Refresh.Wish {
        guard days.isEmpty else { return .days(days) }
        let since = since ?? first
        if let until, until < since {
            throw Mistake(
                description: "--until \(until) is before the first day to mirror, \(since); give --since too")
        }
        let until = min(until ?? today, today)
        return .missing(min(since, until)...until)
    }
}
