import Apod
import Archive
import Concurrency
import Configuration
import Control
import Files
import Synchronization
import TestMirror
import TestSupport
import Testing

@testable import Daemon

@Suite(.timeLimit(.minutes(10)))
struct SupervisorTests {
    private struct Mishap: Error, CustomStringConvertible { let description = "a mishap" }

    private let told = Awaited<[Notice]>([])
    private let activity = Activity()

    private var supervisor: Supervisor {
        var supervisor = Supervisor(
            time: FakeClock(1_000), activity: activity, tell: { [told] notice in told.update { $0.append(notice) } },
            settings: Settings(root: "/none"))
        supervisor.shortest = .milliseconds(1)
        return supervisor
    }

    @Test("The supervisor begins a service again that failed, with a growing pause, while the others go on")
    func failing() async throws {
        let pauses = Awaited<[Duration]>([])
        let others = Awaited(0)
        let shown = Awaited<[String]>([])
        let activity = Activity { line in shown.update { $0.append(line) } }
        var supervisor = Supervisor(
            time: FakeClock(1_000), activity: activity, tell: supervisor.tell, settings: supervisor.settings)
        supervisor.wait = { pause throws(CancellationError) in
            let count = pauses.update { pauses in
                pauses.append(pause)
                return pauses.count
            }
            if count == 12 { try await sleep(for: .seconds(900)) }
        }
        let service = Task { [supervisor] in
            await supervisor.run([
                NamedService(.backfill) { throw Mishap() },
                NamedService(.refresh) {
                    others.update { $0 += 1 }
                    _ = try await Awaited(0).first { _ in false }
                },
            ])
        }
        let waited = try await pauses.first("pauses") { $0.count == 12 }
        #expect(waited == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300].map { .seconds($0) })
        try await others.first("the others") { $0 == 1 }
        #expect(told.value.map(\.words) == ["backfill failed: a mishap; it begins again soon"])
        #expect(shown.value.contains("backfill: a mishap"))
        service.cancel()
        #expect(await service.value == nil)
        #expect(others.value == 1)
        #expect(activity.now.troubles.isEmpty)
    }

    @Test(
        "The supervisor begins afresh with a service that ran for more than 300 s before it failed",
        arguments: [300, 301])
    func fresh(seconds: Int) async throws {
        let (clock, starts, pauses) = (Awaited(ContinuousClock.now), Awaited(0), Awaited<[Duration]>([]))
        var supervisor = supervisor
        supervisor.shortest = .seconds(1)
        supervisor.now = { clock.value }
        supervisor.wait = { pause in pauses.update { $0.append(pause) } }
        _ = await supervisor.run([
            NamedService(.backfill) {
                let count = starts.update { starts in
                    starts += 1
                    return starts
                }
                if count == 4 { clock.update { $0 += .seconds(seconds) } }
                if count < 6 { throw Mishap() }
            }
        ])
        let isFresh = seconds > 300
        #expect(pauses.value == (isFresh ? [1, 2, 4, 1, 2] : [1, 2, 4, 8, 16]).map { .seconds($0) })
        #expect(told.value.count == (isFresh ? 2 : 1))
    }

    @Test("The supervisor ends all when one says that only opening the mirror anew can help")
    func ending() async throws {
        let (hasBegun, wasCancelled) = (Awaited(false), Awaited(false))
        let failure = await supervisor.run([
            NamedService(.favorites) {
                // Who is cancelled before it has begun does not begin.
                _ = try await hasBegun.first { $0 }
                throw Problem(.moved, path: "/x")
            },
            NamedService(.refresh) {
                hasBegun.update { $0 = true }
                _ = try? await Awaited(0).first { _ in false }
                wasCancelled.update { $0 = true }
            },
        ])
        #expect("\(try #require(failure))".contains("/x is not what it was any more"))
        #expect(wasCancelled.value)
    }

    @Test("The supervisor is not told alive before all who are asked have answered for the first time")
    func firstAnswers() async throws {
        let (beats, asked, answers) = (Awaited(0), Awaited(false), Awaited(false))
        let watchdog = Watchdog(interval: .milliseconds(5)) { beats.update { $0 += 1 } }
        let task = Task {
            try await watchdog.run {
                asked.update { $0 = true }
                return [{ _ = try? await answers.first { $0 } }]
            }
        }
        try await asked.first("a question") { $0 }
        #expect(beats.value == 0)
        answers.update { $0 = true }
        try await beats.first("beats") { $0 > 0 }
        task.cancel()
    }
}
