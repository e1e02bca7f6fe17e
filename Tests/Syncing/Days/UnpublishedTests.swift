import Apod
import Configuration
import Store
import TestMirror
import TestSupport
import Testing

@testable import Syncing

struct UnpublishedTests {
    private let today = TestMirror.today

    @Test(
        "A day that has not begun in New York is not among those to fetch, whatever the date is elsewhere",
        arguments: [true, false])
    func before(isThere: Bool) async throws {
        let testMirror = try TestMirror(days: 3)
        if isThere { try await testMirror.sync() }
        let newest = isThere ? [] : [ago(2), ago(1), today]
        let (tomorrow, catalog) = (today.advanced(by: 1), try testMirror.catalog)
        var settings = testMirror.settings
        settings.since = ago(2)
        for (second, more) in [(-1, []), (0, [tomorrow])] {
            let now = NewYork.moment(of: tomorrow, second: second)
            #expect(Day(utc: now) == tomorrow)
            let range = try MirrorRange(settings: settings, catalog: catalog, favorites: testMirror.log, now: now)
            let request = try #require(try SyncPlan(SyncOrder(), range, at: now).request())
            let due = try DueDays(request, catalog, settings, at: now)
            #expect(due.days == Set(newest + more), "\(second)")
        }
    }
}
