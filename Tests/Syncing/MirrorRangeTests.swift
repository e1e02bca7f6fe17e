import Apod
import Configuration
import Store
import TestMirror
import TestSupport
import Testing

@testable import Syncing

struct MirrorRangeTests {
    private let today = TestMirror.today

    private func since(_ testMirror: TestMirror, chosen: Int, at now: Day) throws -> Day {
        let catalog = try testMirror.catalog
        try catalog.setFact(.since, today.advanced(by: chosen).number)
        return try MirrorRange(
            settings: Settings(root: testMirror.root), catalog: catalog, favorites: testMirror.log, now: now.noon
        ).since()
    }

    @Test(
        "The first day stays, unless nothing is here and a clock that was ahead chose it",
        arguments: [(-100, -100), (-30, -30), (-29, -30), (100, -30)])
    func ahead(chosen: Int, first: Int) throws {
        #expect(try since(TestMirror([]), chosen: chosen, at: today) == today.advanced(by: first))
    }

    @Test("The first day to mirror stays by a clock that is behind, where days are here")
    func behind() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        #expect(try since(testMirror, chosen: -2, at: ago(10)) == ago(2))
    }

    @Test("The first day to mirror is the one behind those for which there is no room, to the byte", arguments: [0, 1])
    func room(lacking: Int) async throws {
        let testMirror = try TestMirror(days: 6)
        try await testMirror.sync()
        let catalog = try testMirror.catalog
        let oldest = try #require(try catalog.candidates(before: today, sparing: []).first)
        var settings = testMirror.settings
        settings.since = testMirror.since
        settings.maxTotal = try catalog.bytes() - oldest.bytes - lacking
        let range = try MirrorRange(
            settings: settings, catalog: catalog, favorites: testMirror.log, now: today.noon
        ).wanted(until: today)
        #expect(range == oldest.day.advanced(by: 1 + lacking)...today)
    }
}
