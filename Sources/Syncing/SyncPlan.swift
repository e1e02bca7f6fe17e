package import Apod
package import Catalog
package import Configuration
package import Files

/// What a sync is to fetch, as far as the catalog knows. The sync and its preview share it.
package struct SyncPlan: Sendable {
    let order: SyncOrder
    /// The mirror's settings, changed by the order.
    let settings: Settings
    package let since: Day
    /// The range whose missing days are asked for; nil if no day is to be mirrored.
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

    /// Whether the sync also fetches favorites, and days that `max-file` left out before.
    package var asksForFavorites: Bool { order.days.isEmpty }

    /// nil if there is nothing to ask for.
    package func request() throws(SyncOrder.Mistake) -> RefreshRequest? {
        guard order.days.isEmpty else { return .days(order.days) }
        try order.check(since: since)
        return wanted.map { .missing($0, failedSince: order.since ?? .first, isAsked: true) }
    }
}
