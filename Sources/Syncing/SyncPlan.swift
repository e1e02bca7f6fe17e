package import Apod
internal import Catalog
internal import Configuration
internal import Files

/// What a sync is to fetch, as far as the catalog knows.
package struct SyncPlan: Sendable {
    private let order: SyncOrder
    package let since: Day
    /// The range whose missing days are asked for; nil if no day is to be mirrored.
    let wanted: ClosedRange<Day>?

    init(_ order: SyncOrder, own: Settings, _ catalog: Catalog, at now: Int) throws(StorageError) {
        self.order = order
        let mirrorRange = MirrorRange(settings: order.applied(to: own), catalog: catalog, now: now)
        let today = NewYork.day(at: now)
        since = try mirrorRange.since()
        wanted = try mirrorRange.wanted(until: min(order.until ?? today, today))
    }

    /// nil if there is nothing to ask for.
    package func request() throws(SyncOrder.Mistake) -> RefreshRequest? {
        guard order.days.isEmpty else { return .days(order.days) }
        try order.check(since: since)
        return wanted.map { .missing($0, failedSince: order.since ?? .first, isAsked: true) }
    }
}
