import Apod
import Configuration
import Syncing
import Testing

struct SyncOrderTests {
    private static let first = Day("2019-04-10")!
    private static let last = Day("2019-04-20")!

    @Test(
        "Only days and ranges with two ends are asked for by name, and count beside the limits",
        arguments: [
            (SyncOrder(), false), (SyncOrder(since: first), false), (SyncOrder(until: last), false),
            (SyncOrder(since: first, until: last), true), (SyncOrder(days: [last]), true),
        ])
    func byName(order: SyncOrder, isByName: Bool) {
        #expect(order.isByName == isByName)
        var settings = Settings(root: "/srv/apod")
        settings.since = Day("2018-01-01")
        settings.keep = Span("5d")
        settings.maxTotal = 1_000_000
        let applied = order.applied(to: settings)
        #expect(applied.since == order.since ?? settings.since)
        #expect(applied.keep == (isByName ? nil : settings.keep))
        #expect(applied.maxTotal == (isByName ? nil : settings.maxTotal))
    }
}
