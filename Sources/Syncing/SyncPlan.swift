package import Apod
package import Catalog
package import Configuration
package import Files

/// What a sync is about, as far as the catalog knows: for whoever does it, and for whoever only tells of it.
package struct SyncPlan: Sendable {
    let order: SyncOrder
    /// As the order says, and else the person's own.
    let settings: Settings
    /// The first day to mirror.
    package let since: Day
    /// What is missing there is asked for; nil if no day is to be mirrored.
    let wanted: ClosedRange<Day>?

    package init(
        _ order: SyncOrder, own: Settings, _ catalog: Catalog, at now: Int
    ) throws(StorageError) {
        self.order = order
        settings = order.applied(to: own)
        let mirrorRange = MirrorRange(settings: settings, catalog: catalog, now: now)
        let today = NewYork.day(at: now)
        since = try mirrorRange.since()
        wanted = try mirrorRange.wanted(until: min(order.until ?? today, today))
    }

    /// Nobody has named days: it fetches favorites, too, and what `max-file` left out before.
    package var asksForFavorites: Bool { order.days.isEmpty }

    /// nil if there is nothing to ask for.
    package func request() throws(SyncOrder.Mistake) -> RefreshRequest? {
        guard order.days.isEmpty else { return .days(order.days) }
        try order.check(since: since)
        return wanted.map { .missing($0, failedSince: order.since ?? .first, isAsked: true) }
    }
}
