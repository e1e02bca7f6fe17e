import Apod
import Fetching
import TestSupport
import Testing

@testable import Service

@Suite("The pulse")
struct PulseTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func station(rate: Double = 0, upstream: String = "http://127.0.0.1:9") throws -> Station {
        var settings = Settings(root: folder.appending("APOD"))
        settings.rate = rate
        settings.upstream = WebAddress(upstream)!
        let session = try Session(
            settings, version: "test", environment: ["HOME": folder.path], time: FakeTime(Observatory.today.noon),
            tune: { $0.pause = .milliseconds(2) })
        return Station(session: session, time: FakeTime(Observatory.today.noon), activity: Activity(), tell: { _ in })
    }

    @Test(
        "is missed when nothing has come for as long as the turn and an attempt may take",
        arguments: [(0, 900), (1, 901), (0.02, 950), (0.005, 1_100), (0.001, 1_900)])
    func patience(rate: Double, seconds: Int) throws {
        let pulse = try station(rate: rate).pulse
        pulse.begin()
        let now = ContinuousClock.now
        #expect(!pulse.isStuck(signs: 0, at: now + .seconds(seconds - 1)))
        #expect(pulse.isStuck(signs: 0, at: now + .seconds(seconds + 1)))
    }

    @Test("is missed neither while there are signs of life nor when nothing is under way")
    func life() throws {
        let pulse = try station().pulse
        let later = ContinuousClock.now + .seconds(1_000)
        #expect(!pulse.isStuck(signs: 0, at: later))
        pulse.begin()
        #expect(!pulse.isStuck(signs: 1, at: later))
        #expect(pulse.isStuck(signs: 1, at: later + .seconds(901)))
        pulse.end()
        #expect(!pulse.isStuck(signs: 1, at: later + .seconds(901)))
    }

    @Test("is felt while a long answer comes slowly, before anything can be told of it", .timeLimit(.minutes(1)))
    func slowAnswer() async throws {
        let nasa = try FakeNASA()
        nasa.intercept = { _ in
            Response(Body([.repeated([0x20], count: 1 << 20)]), framing: .chunked, trickle: .milliseconds(1))
        }
        let station = try station(upstream: nasa.origin)
        let session = station.session
        let refresh = Task { _ = try await station.follow(.missing(Observatory.today...Observatory.today)) }
        let pulse = station.pulse
        var later = ContinuousClock.now + .seconds(1_000)
        for _ in 1...3 {
            let before = session.signs
            while session.signs == before { await Task.yield() }
            #expect(!pulse.isStuck(signs: session.signs, at: later))
            later += .seconds(900)
        }
        #expect(nasa.requests.count == 1)
        refresh.cancel()
        _ = await refresh.result
    }

    @Test("is felt with each attempt of many days that are asked for in vain")
    func attempts() async throws {
        let nasa = try FakeNASA([])
        nasa.intercept = { _ in .html(503) }
        let station = try station(upstream: nasa.origin)
        let days = (0..<5).map { Observatory.today.advanced(by: -100 * ($0 + 1)) }
        let signs = Awaited<[Int]>([])
        let (session, refresh) = (station.session, station.session.refresh())
        _ = try await station.follow(.days(Set(days)), with: refresh) { event in
            if case .failed = event { signs.update { $0.append(session.signs) } }
        }
        // More than one day's went before anything could be told.
        #expect(signs.value.first! > 12)
        #expect(session.signs == nasa.requests.count && session.signs == 12 * days.count)
    }
}
