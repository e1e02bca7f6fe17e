import Apod
import Archive
import Service
import TestSupport
import Testing

@Suite("The service, when very much is to be deleted", .serialized, .timeLimit(.minutes(1)))
struct HoldingServiceTests {
    /// It has sixty days, and is told to keep nine.
    private func mistyped() async throws -> Outpost {
        let outpost = try Outpost(days: 60)
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.told(.backfilled)
        outpost.settings.keep = Span("9d")
        outpost.caretaker?.reload(outpost.settings)
        try await outpost.told(.held, "the pictures of 50 days")
        return outpost
    }

    private func pruned(_ outpost: Outpost) throws -> Int { try outpost.catalog().summary().pruned }

    @Test("tells of it, and does it a day later, though it was started again")
    func day() async throws {
        let outpost = try await mistyped()
        let words = try #require(outpost.told.value.last { $0.event == .held }?.words)
        for part in ["keep = 9d", "2026-11-21T12:00:00Z", "`apod-mirror prune`", "favorites", "reload"] {
            #expect(words.contains(part), "\(words)")
        }
        await outpost.stop()
        outpost.time.pass(80_000)
        outpost.start()
        try await outpost.told(.held, "2026-11-21T12:00:00Z", times: 2)
        #expect(try pruned(outpost) == 0)
        let end = Outpost.today.noon + 86_400
        try await outpost.time.awaited(exactly: end)
        outpost.time.set(end)
        try await outpost.told(.pruned, "50 days")
        #expect(try pruned(outpost) == 50)
        await outpost.stop()
        #expect(outpost.told.value.count { $0.event == .held } == 2)
    }

    @Test("does nothing when it was a mistake")
    func mistake() async throws {
        let outpost = try await mistyped()
        outpost.settings.keep = Span("9m")
        outpost.caretaker?.reload(outpost.settings)
        try await outpost.eventually { try outpost.catalog().hold() == nil }
        outpost.nasa.add(Entry(Outpost.today.advanced(by: 1), bytes: 2_000))
        outpost.time.pass(86_400)
        try await outpost.mirrored(Outpost.today.advanced(by: 1))
        await outpost.stop()
        #expect(try pruned(outpost) == 0)
    }
}
