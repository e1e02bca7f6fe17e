import Apod
import Archive
import Catalog
import Configuration
import Syncing
import TestMirror
import TestSupport
import Testing

/// What the upstream can answer, and what becomes of it.
struct AnswerTests {
    @Test("Days are asked for one by one where an answer ignores the range")
    func ignored() async throws {
        let testMirror = try TestMirror(days: 40)
        testMirror.nasa.intercept = { [unowned nasa = testMirror.nasa] request in
            guard request.path == FakeNASA.base else { return nil }
            let days = nasa.days.suffix(25).reversed().map { String(decoding: nasa.record($0)!, as: UTF8.self) }
            return .json("[\(days.joined(separator: ","))]")
        }
        try await testMirror.sync()
        #expect(try testMirror.catalog.storedDays().count == 40)
        try await testMirror.audit()
    }

    @Test("The site's own list stands in for nonsense until APOD Basic has the days again")
    func articles() async throws {
        let testMirror = try TestMirror(days: 12) { $0.recheckDays = 2 }
        testMirror.nasa.answer(FakeNASA.base, .json("{\"code\":\"ok\"}"))
        _ = try await testMirror.attempt()
        testMirror.clock.pass(3600)
        let events = try await testMirror.sync()
        let days = (0..<12).map { ago($0) }
        for day in days {
            #expect(events[day] == "mirrored")
            #expect(try testMirror.bytes(day, "jpg") == testMirror.nasa[day]!.files[0].original?.bytes)
        }
        #expect(events.first { $0.words == "noted" }?.why?.contains("NASA's list of articles stands in") == true)
        try await testMirror.loseCatalog()
        #expect(try testMirror.catalog.standIns(among: Set(days)) == Set(days))
        let files = testMirror.fileRequests.count
        #expect(try await testMirror.attempt().events.words.allSatisfy { !$0.contains("mirrored") })
        testMirror.nasa.intercept = nil
        testMirror.clock.pass(days: 1)
        try await testMirror.sync()
        for day in days { #expect(try testMirror.json(day)["upstream"]?["type"] == nil) }
        #expect(try testMirror.catalog.owing(at: testMirror.clock.now) == [] && testMirror.fileRequests.count == files)
        #expect(try testMirror.catalog.fact(.silentSince) == 0)
        try await testMirror.audit()
    }

    @Test("An answer without sense is an outage where no day is missing")
    func nothingMissing() async throws {
        let testMirror = try TestMirror(days: 3)
        try await testMirror.sync()
        testMirror.nasa.intercept = { $0.path.hasPrefix(FakeNASA.base) ? .json("{}") : .html(404) }
        let (events, error) = try await testMirror.attempt()
        #expect(error?.isOfNetwork == true)
        #expect(events.words == ["2026-11-18 to 2026-11-20 unanswered"])
    }
}
