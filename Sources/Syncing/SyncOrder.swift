package import Apod
package import Configuration
import Files
import Store

/// What `sync` is to fetch: some days, or the missing days of a range.
package struct SyncOrder: Sendable, Equatable, Codable {
    package struct Contradiction: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    package let days: Set<Day>
    /// nil: as the settings say.
    package let since: Day?
    /// nil: today.
    package let until: Day?
    /// Another list, and no days.
    package let list: ListName?
    /// The settings of fetching given with the command, by key.
    package let settings: [String: String]

    package init(
        days: Set<Day> = [], since: Day? = nil, until: Day? = nil, list: ListName? = nil,
        settings: [String: String] = [:]
    ) {
        self.days = days
        self.since = since
        self.until = until
        self.list = list
        self.settings = settings
    }

    /// Whether days are named, or both ends of a range. They are fetched whatever `keep` and `max-total` say, and
    /// nothing is deleted to make room for them.
    package var isByName: Bool { !days.isEmpty || since != nil && until != nil }

    /// The range whose both ends are named.
    package var range: ClosedRange<Day>? {
        guard let since, let until, since <= until else { return nil }
        return since...until
    }

    /// The lists that it is for, of those in the settings: without days, all of them.
    package func lists(among lists: [PictureList]) throws(Contradiction) -> [PictureList] {
        guard let list else { return days.isEmpty && since == nil && until == nil ? lists : [] }
        let found = lists.filter { $0.name == list }
        if !found.isEmpty { return found }
        let names = Text.names(lists.map { "\($0.name)" })
        throw Contradiction(
            lists.isEmpty
                ? "the settings name no list; `list.\(list) = ADDRESS` adds one"
                : "the settings name no list \(list); they have \(names)")
    }

    package func applied(to settings: Settings) -> Settings {
        var settings = settings.fetching(by: self.settings)
        if let since { settings.since = since }
        if isByName { (settings.keep, settings.maxTotal) = (nil, nil) }
        return settings
    }

    /// Returns the days that the order names.
    package func named(among days: [Day]) -> [Day] {
        guard self.days.isEmpty else { return days.filter(self.days.contains) }
        return days.filter { range?.contains($0) ?? false }
    }
}

/// What a sync is to fetch, as far as the catalog knows.
package struct SyncPlan: Sendable {
    private let order: SyncOrder
    /// The first day to mirror, from the order or the settings.
    private let since: Day
    private let today: Day
    /// The range whose missing days are asked for; nil if no day is to be mirrored.
    let wanted: ClosedRange<Day>?

    init(_ order: SyncOrder, _ range: MirrorRange, at now: Int) throws {
        self.order = order
        today = NewYork.day(at: now)
        since = try range.since()
        wanted = try range.wanted(until: min(order.until ?? today, today))
    }

    /// Returns nil if there is nothing to ask for. Throws if the range of the order is empty.
    package func request() throws(SyncOrder.Contradiction) -> RefreshRequest? {
        guard order.days.isEmpty else { return .days(order.days) }
        if let until = order.until, until < since {
            throw SyncOrder.Contradiction(
                order.since == nil
                    ? "--until \(until) is before the first day to mirror, \(since); give --since too"
                    : "--until \(until) is before --since \(since)")
        }
        let isByRange = order.since != nil || order.until != nil
        return wanted.map {
            .missing($0, failedSince: order.since ?? .first, asked: isByRange ? .byRange : .generally)
        }
    }

    /// Says why there is nothing to ask for.
    package var nothing: String {
        if since > today { return "nothing to fetch: \(since) is not published yet" }
        return "nothing to fetch: keep and max-total leave no day until \(order.until ?? today)"
    }
}
