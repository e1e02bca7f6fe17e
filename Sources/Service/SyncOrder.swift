package import Apod
package import Archive

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

    /// Fetched whether it would be kept or not.
    package var isByName: Bool { !days.isEmpty || since != nil && until != nil }

    /// `first`: of what is to be mirrored.
    package func check(from first: Day) throws(Mistake) {
        guard days.isEmpty, let until, until < since ?? first else { return }
        throw Mistake(
            description: "--until \(until) is before the first day to mirror, \(since ?? first); give --since too")
    }

    /// What there is to be told where there is no wish.
    package func emptiness(today: Day) -> String {
        "nothing to fetch: keep and max-total leave no day until \(until ?? today)"
    }
}

extension Session {
    /// nil if nothing of what is ordered may stay.
    package func wish(for order: SyncOrder) throws(ArchiveError) -> Refresh.Wish? {
        guard order.days.isEmpty else { return .days(order.days) }
        let last = min(order.until ?? today, today)
        if let since = order.since, order.isByName { return .missing(min(since, last)...last) }
        return try wanted(since: order.since, until: last).map(Refresh.Wish.missing)
    }
}
