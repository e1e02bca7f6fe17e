import Apod
import Fetching
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Service
@testable import Syncing

struct StallDetectorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func context(rate: Double = 0, upstream: String = "http://127.0.0.1:9") throws -> ServiceContext {
        var settings = Settings(root: folder.appending("APOD"))
        settings.rate = rate
        settings.upstream = WebAddress(upstream)!
        var fetching = FetchSettings()
        fetching.pause = .milliseconds(2)
        let mirror = try OpenMirror(
            settings, version: "test", environment: ["HOME": folder.path], time: FakeClock(TestMirror.today.noon),
            fetching: fetching)
        return ServiceContext(
            mirror: mirror, time: FakeClock(TestMirror.today.noon), activity: Activity(), tell: { _ in })
    }

    @Test(
        "The pulse is missed when nothing has come for as long as the turn and an attempt may take",
        arguments: [(0, 900), (1, 901), (0.001, 1_900)])
    func patience(rate: Double, seconds: Int) throws {
        let stallDetector = try context(rate: rate).stallDetector
        let now = ContinuousClock.now
        #expect(!stallDetector.isStuck(isAsking: false, signs: 0, at: now))
        #expect(!stallDetector.isStuck(isAsking: true, signs: 0, at: now + .seconds(seconds - 1)))
        #expect(stallDetector.isStuck(isAsking: true, signs: 0, at: now + .seconds(seconds + 1)))
        // It counts from where nothing was asked, or something came.
        #expect(!stallDetector.isStuck(isAsking: true, signs: 1, at: now + .seconds(9_000)))
        #expect(!stallDetector.isStuck(isAsking: true, signs: 1, at: now + .seconds(9_000 + seconds - 1)))
        #expect(stallDetector.isStuck(isAsking: true, signs: 1, at: now + .seconds(9_000 + seconds + 1)))
    }

    @Test(
        "The pulse is felt while a long answer comes slowly, before anything can be told of it",
        .patience)
    func slowAnswer() async throws {
        let nasa = try FakeNASA()
        nasa.intercept = { _ in
            Response(Body([.repeated([0x20], count: 1 << 20)]), framing: .chunked, trickle: .milliseconds(1))
        }
        let context = try context(upstream: nasa.origin)
        let mirror = context.mirror
        let refresh = Task { _ = try await context.refresh(.missing(TestMirror.today...TestMirror.today)) }
        let stallDetector = context.stallDetector
        var later = ContinuousClock.now + .seconds(1_000)
        for _ in 1...3 {
            let before = mirror.signs
            try await lookOut(for: "a sign") { mirror.signs != before }
            #expect(mirror.isAsking && !stallDetector.isStuck(isAsking: true, signs: mirror.signs, at: later))
            later += .seconds(900)
        }
        #expect(nasa.requests.count == 1)
        refresh.cancel()
        _ = await refresh.result
        #expect(!mirror.isAsking)
    }
}
