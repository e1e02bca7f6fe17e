import Apod
import Fetching
import TestMirror
import TestSupport
import Testing

@testable import Configuration
@testable import Control
@testable import Daemon
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
    }

    @Test("The pulse counts from where nothing was asked, or something came, however long there was nothing before")
    func beginning() throws {
        let stallDetector = try context().stallDetector
        let start = ContinuousClock.now
        func isStuck(_ isAsking: Bool, _ signs: Int, after seconds: Int) -> Bool {
            stallDetector.isStuck(isAsking: isAsking, signs: signs, at: start + .seconds(seconds))
        }
        #expect(!isStuck(false, 0, after: 5_000))
        #expect(!isStuck(true, 0, after: 5_899))
        #expect(!isStuck(true, 1, after: 5_950))
        #expect(!isStuck(true, 1, after: 6_849))
        #expect(isStuck(true, 1, after: 6_851))
        #expect(!isStuck(false, 1, after: 6_852))
    }

    @Test(
        "The pulse is felt while a long answer comes slowly, before anything can be told of it",
        .timeLimit(.minutes(10)))
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

    @Test("The pulse is felt with each attempt of many days that are asked for in vain")
    func attempts() async throws {
        let nasa = try FakeNASA([])
        nasa.intercept = { _ in .html(503) }
        let context = try context(upstream: nasa.origin)
        let days = (0..<5).map { TestMirror.today.advanced(by: -100 * ($0 + 1)) }
        let signs = Awaited<[Int]>([])
        let (mirror, refresh) = (context.mirror, context.mirror.refresh())
        _ = try await context.refresh(.days(Set(days)), with: refresh) { event in
            if case .failed = event { signs.update { $0.append(mirror.signs) } }
        }
        // More than one day's went before anything could be told.
        #expect(signs.value.first! > 8)
        #expect(mirror.signs == nasa.requests.count && mirror.signs == 8 * days.count)
    }
}
