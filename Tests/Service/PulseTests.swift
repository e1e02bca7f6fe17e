import TestSupport
import Testing

@testable import Service

@Suite("The pulse")
struct PulseTests {
    private static func pulse(rate: Double = 1) throws -> Pulse {
        let folder = try TemporaryFolder()
        var settings = Settings(root: folder.appending("APOD"))
        settings.rate = rate
        let session = try Session(settings, version: "test", environment: ["HOME": folder.path], now: { 1_000_000 })
        return Station(session: session, time: FakeTime(1_000_000), activity: Activity(), tell: { _ in }).pulse
    }

    @Test(
        "is missed when nothing has happened for as long as a question may take that fails",
        arguments: [(0, 900), (1, 900), (0.02, 900), (0.005, 3_200), (0.001, 16_000)])
    func patience(rate: Double, seconds: Int) throws {
        let pulse = try Self.pulse(rate: rate)
        pulse.begin()
        let now = ContinuousClock.now
        #expect(!pulse.isStuck(received: 0, at: now + .seconds(seconds - 1)))
        #expect(pulse.isStuck(received: 0, at: now + .seconds(seconds + 1)))
    }

    @Test("is missed neither while bytes come nor when nothing is under way")
    func life() throws {
        let pulse = try Self.pulse()
        let later = ContinuousClock.now + .seconds(1_000)
        #expect(!pulse.isStuck(received: 0, at: later))
        pulse.begin()
        #expect(!pulse.isStuck(received: 1, at: later))
        #expect(pulse.isStuck(received: 1, at: later + .seconds(901)))
        pulse.end()
        #expect(!pulse.isStuck(received: 1, at: later + .seconds(901)))
    }
}
