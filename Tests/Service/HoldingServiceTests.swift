import Apod
import Archive
import Service
import TestSupport
import Testing

@Suite("The service, when very much is to be deleted", .serialized, .timeLimit(.minutes(1)))
struct HoldingServiceTests {
    /// It has sixty days, and is told to keep nine, or so little that most have to go.
    private func mistyped(maxTotal: Bool = false, root: String? = nil) async throws -> Outpost {
        let outpost = try Outpost(Entry.days(60, newest: Outpost.today, bytes: maxTotal ? 20_000 : 2_000), root: root)
        outpost.start()
        try await outpost.told(.watching)
        try await outpost.told(.backfilled)
        if maxTotal { outpost.settings.maxTotal = 1_220_000 } else { outpost.settings.keep = Span("9d") }
        outpost.caretaker?.reload(outpost.settings)
        try await outpost.told(.held, "the pictures of \(maxTotal ? "" : "50 days")")
        return outpost
    }

    private func pruned(_ outpost: Outpost) throws -> Int { try outpost.catalog().summary().pruned }

    /// When it has looked, and nothing has gone.
    private func pass(_ seconds: Int, _ outpost: Outpost) async throws {
        try await outpost.time.awaited(exactly: outpost.time.now + seconds)
        #expect(try pruned(outpost) == 0)
        outpost.time.pass(seconds)
    }

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
        try await pass(3_600, outpost)
        try await pass(2_800, outpost)
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

    @Test("deletes nothing because the clock is set, and says until when then", arguments: [3, -3])
    func clock(days: Int) async throws {
        let outpost = try await mistyped(maxTotal: true)
        try await pass(3_600, outpost)
        try await outpost.time.awaited(exactly: outpost.time.now + 3_600)
        outpost.time.jump(days: days)
        try await outpost.time.awaited(exactly: outpost.time.now + 3_600)
        let end = outpost.time.now + 82_800
        #expect(try outpost.catalog().hold()?.end == end)
        for _ in 1...23 { try await pass(3_600, outpost) }
        try await outpost.told(.pruned)
        #expect(outpost.time.now == end)
        await outpost.stop()
        #expect(outpost.told.value.count { $0.event == .held } == 1)
    }

    @Test("deletes nothing because the machine was off, and tells again until when")
    func off() async throws {
        let outpost = try await mistyped()
        for _ in 1...5 { try await pass(3_600, outpost) }
        try await outpost.time.awaited(exactly: outpost.time.now + 3_600)
        await outpost.stop()
        outpost.time.beOff(for: 3 * 86_400)
        outpost.time.pass(60)
        outpost.start()
        let end = outpost.time.now + 19 * 3_600 - 60
        try await outpost.told(.held, Time.text(end))
        for _ in 1...18 { try await pass(3_600, outpost) }
        try await pass(3_540, outpost)
        try await outpost.told(.pruned, "50 days")
        await outpost.stop()
    }

    @Test("deletes nothing because its disk was away", .enabled(if: Disk.canBeMade))
    func away() async throws {
        let (disk, place) = (try TemporaryFolder(), try TemporaryFolder())
        var mount = try Optional(BindMount(of: disk.path, over: place.path))
        let outpost = try await mistyped(root: place.path)
        try await pass(3_600, outpost)
        try await outpost.time.awaited(exactly: outpost.time.now + 3_600)
        withExtendedLifetime(mount) {}
        mount = nil
        try await outpost.told(.waiting, "is its disk mounted?")
        outpost.time.pass(days: 3)
        mount = try BindMount(of: disk.path, over: place.path)
        try await outpost.told(.held, Time.text(outpost.time.now + 82_800))
        for _ in 1...23 { try await pass(3_600, outpost) }
        try await outpost.told(.pruned, "50 days")
        await outpost.stop()
        withExtendedLifetime(mount) {}
    }
}
