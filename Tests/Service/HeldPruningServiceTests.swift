import Apod
import Configuration
import Service
import Store
import TestMirror
import TestSupport
import Testing

@testable import Syncing

@Suite(.patience)
struct HeldPruningServiceTests {
    /// It has sixty days, and is told to keep nine, or so little that most have to go.
    private func mistyped() async throws -> TestService {
        let testService = try TestService(Entry.days(60, newest: TestService.today, bytes: 2_000))
        try await testService.start(until: .watching)
        try await testService.told(.backfilled)
        testService.settings.keep = Span("9d")
        testService.reload()
        try await testService.told(.held, "the pictures of 50 days")
        return testService
    }

    private func pruned(_ testService: TestService) throws -> Int { try testService.catalog.summary().pruned }

    @Test("The service tells of a large deletion after each start, and deletes nothing by itself")
    func told() async throws {
        let testService = try await mistyped()
        let words = try #require(testService.told.value.last { $0.event == .held }?.words)
        for part in ["keep = 9d", "`apod-mirror prune`", "favorites"] {
            #expect(words.contains(part))
        }
        testService.time.pass(days: 3)
        await testService.stop()
        testService.time.jump(days: 40)
        try await testService.start(until: .held, "the pictures of ", times: 2)
        #expect(try pruned(testService) == 0)
        let report = try StatusReport(
            testService.settings, testService.catalog, testService.log, at: testService.time.now)
        let holds = report.conditions.compactMap { if case .held(let hold) = $0 { hold } else { nil } }
        #expect(holds.count == 1 && holds[0].days == 50 && holds[0].settings == "keep = 9d")
        await testService.stop()
    }
}
