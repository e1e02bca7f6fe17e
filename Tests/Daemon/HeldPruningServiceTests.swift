import Apod
import Archive
import Catalog
import Concurrency
import Configuration
import Control
import Daemon
import TestMirror
import TestSupport
import Testing

@testable import Syncing

@Suite("The service, when very much is to be deleted", .serialized, .timeLimit(.minutes(1)))
struct HeldPruningServiceTests {
    /// It has sixty days, and is told to keep nine, or so little that most have to go.
    private func mistyped(maxTotal: Bool = false, root: String? = nil) async throws -> TestService {
        let testService = try TestService(
            Entry.days(60, newest: TestService.today, bytes: maxTotal ? 20_000 : 2_000), root: root)
        testService.start()
        try await testService.told(.watching)
        try await testService.told(.backfilled)
        if maxTotal { testService.settings.maxTotal = 1_220_000 } else { testService.settings.keep = Span("9d") }
        testService.mirrorService?.reload(testService.settings)
        try await testService.told(.held, "the pictures of \(maxTotal ? "" : "50 days")")
        return testService
    }

    private func pruned(_ testService: TestService) throws -> Int { try testService.catalog().summary().pruned }

    /// When it has looked, and nothing has gone.
    private func pass(_ seconds: Int, _ testService: TestService) async throws {
        try await testService.time.awaited(exactly: testService.time.now + seconds)
        #expect(try pruned(testService) == 0)
        testService.time.pass(seconds)
    }

    @Test("tells of it, and does it a day later, though it was started again")
    func day() async throws {
        let testService = try await mistyped()
        let words = try #require(testService.told.value.last { $0.event == .held }?.words)
        for part in ["keep = 9d", Time.local(Day("2026-11-21")!.noon), "`apod-mirror prune`", "favorites", "reload"] {
            #expect(words.contains(part), "\(words)")
        }
        await testService.stop()
        testService.time.pass(80_000)
        testService.start()
        try await testService.told(.held, Time.local(Day("2026-11-21")!.noon), times: 2)
        try await pass(3_600, testService)
        try await pass(2_800, testService)
        try await testService.told(.pruned, "50 days")
        #expect(try pruned(testService) == 50)
        await testService.stop()
        #expect(testService.told.value.count { $0.event == .held } == 2)
    }

    @Test("tells what somebody has had deleted at once, and holds nothing any more")
    func atOnce() async throws {
        let testService = try await mistyped()
        let client = try #require(try ControlClient.reach(root: testService.root))
        try await client.run(.prune) { _ in }
        try await testService.told(.pruned, "50 days")
        _ = try await testService.news.first { $0.last { $0.hasPrefix("status") }?.contains("to be deleted") == false }
        await testService.stop()
    }

    @Test("is told until when it is held by all that has passed since that was noted")
    func report() throws {
        let shelf = try Shelf()
        let catalog = try shelf.archive().catalog
        let now = TestService.today.noon
        let hold = PruneHold(
            since: now, heldSeconds: 3_600, counted: Uptime(boot: "a", seconds: 0), end: now, rule: "keep = 9d",
            days: 50,
            bytes: 1, oldest: .first, newest: .first)
        try catalog.setHold(hold)
        let report = try StatusReport(Settings(root: shelf.root), catalog, at: now, Uptime(boot: "a", seconds: 1_000))
        #expect(report.hold?.end == now + 86_400 - 4_600)
    }

    @Test("does nothing when it was a mistake")
    func mistake() async throws {
        let testService = try await mistyped()
        testService.settings.keep = Span("9m")
        testService.mirrorService?.reload(testService.settings)
        try await testService.eventually { try testService.catalog().hold() == nil }
        testService.nasa.add(Entry(TestService.today.advanced(by: 1), bytes: 2_000))
        testService.time.pass(86_400)
        try await testService.mirrored(TestService.today.advanced(by: 1))
        await testService.stop()
        #expect(try pruned(testService) == 0)
    }

    @Test("deletes nothing because the clock is set, and says until when then", arguments: [3, -3])
    func clock(days: Int) async throws {
        let testService = try await mistyped(maxTotal: true)
        try await pass(3_600, testService)
        try await testService.time.awaited(exactly: testService.time.now + 3_600)
        testService.time.jump(days: days)
        try await testService.time.awaited(exactly: testService.time.now + 3_600)
        let end = testService.time.now + 82_800
        #expect(try testService.catalog().hold()?.end == end)
        for _ in 1...23 { try await pass(3_600, testService) }
        try await testService.told(.pruned)
        #expect(testService.time.now == end)
        await testService.stop()
        #expect(testService.told.value.count { $0.event == .held } == 1)
    }

    @Test("deletes nothing because the machine was off, and tells again until when")
    func off() async throws {
        let testService = try await mistyped()
        for _ in 1...5 { try await pass(3_600, testService) }
        try await testService.time.awaited(exactly: testService.time.now + 3_600)
        await testService.stop()
        testService.time.beOff(for: 3 * 86_400)
        testService.time.pass(60)
        testService.start()
        let end = testService.time.now + 19 * 3_600 - 60
        try await testService.told(.held, Time.local(end))
        for _ in 1...18 { try await pass(3_600, testService) }
        try await pass(3_540, testService)
        try await testService.told(.pruned, "50 days")
        await testService.stop()
    }

    @Test("deletes nothing because its disk was away", .enabled(if: Disk.canBeMade))
    func away() async throws {
        let (disk, place) = (try TemporaryFolder(), try TemporaryFolder())
        var mount = try Optional(BindMount(of: disk.path, over: place.path))
        let testService = try await mistyped(root: place.path)
        try await pass(3_600, testService)
        try await testService.time.awaited(exactly: testService.time.now + 3_600)
        withExtendedLifetime(mount) {}
        mount = nil
        try await testService.told(.waiting, "mount its disk")
        testService.time.pass(days: 3)
        mount = try BindMount(of: disk.path, over: place.path)
        try await testService.told(.held, Time.local(testService.time.now + 82_800))
        for _ in 1...23 { try await pass(3_600, testService) }
        try await testService.told(.pruned, "50 days")
        await testService.stop()
        withExtendedLifetime(mount) {}
    }
}
