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

@Suite("The supervisor", .timeLimit(.minutes(1)))
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

    @Test("begins a service again that failed, with a growing pause, while the others go on")
    func failing() async throws {
        let starts = Awaited<[ContinuousClock.Instant]>([])
        let others = Awaited(0)
        let shown = Awaited<[String]>([])
        let activity = Activity { line in shown.update { $0.append(line) } }
        var supervisor = Supervisor(
            time: FakeClock(1_000), activity: activity, tell: supervisor.tell, settings: supervisor.settings)
        supervisor.shortest = .milliseconds(10)
        let service = Task { [supervisor] in
            await supervisor.run([
                NamedService(.backfill) {
                    starts.update { $0.append(.now) }
                    throw Mishap()
                },
                NamedService(.refresh) {
                    others.update { $0 += 1 }
                    _ = try await Awaited(0).first { _ in false }
                },
            ])
        }
        let moments = try await starts.first { $0.count == 5 }
        let pauses = zip(moments, moments.dropFirst()).map { $1 - $0 }
        for (pause, least) in zip(pauses, [10, 20, 40, 80]) { #expect(pause >= .milliseconds(least)) }
        #expect(others.value == 1)
        #expect(told.value.map(\.words) == ["backfill failed: a mishap; it begins again soon"])
        #expect(shown.value.contains("backfill: a mishap"))
        service.cancel()
        #expect(await service.value == nil)
        #expect(activity.now.troubles.isEmpty)
    }

    @Test("ends all when one says that only opening the mirror anew can help")
    func ending() async throws {
        let wasCancelled = Awaited(false)
        let failure = await supervisor.run([
            NamedService(.favorites) { throw StorageError(replaced: "/x") },
            NamedService(.refresh) {
                _ = try? await Awaited(0).first { _ in false }
                wasCancelled.update { $0 = true }
            },
        ])
        #expect("\(try #require(failure))".contains("/x is not what it was any more"))
        #expect(wasCancelled.value)
    }

    @Test("is not told alive by a watchdog while one of those who are asked does not answer")
    func watchdog() async throws {
        let beats = Awaited(0)
        let answers = Awaited(true)
        let asked = Awaited(0)
        let watchdog = Watchdog(interval: .milliseconds(5)) { beats.update { $0 += 1 } }
        let task = Task {
            try await watchdog.run {
                asked.update { $0 += 1 }
                return [{}, { _ = try? await answers.first { $0 } }]
            }
        }
        _ = try await beats.first { $0 >= 3 }
        answers.update { $0 = false }
        let before = beats.value
        // One may be under way. That nothing comes behind it can only be waited for.
        _ = try await asked.first { $0 > before }
        try await sleep(for: .milliseconds(100))
        let signs = beats.value
        #expect(signs <= before + 1)
        answers.update { $0 = true }
        _ = try await beats.first { $0 > signs }
        task.cancel()
    }

    @Test("is not told alive before all who are asked have answered for the first time")
    func firstAnswers() async throws {
        let (beats, asked, answers) = (Awaited(0), Awaited(false), Awaited(false))
        let watchdog = Watchdog(interval: .milliseconds(5)) { beats.update { $0 += 1 } }
        let task = Task {
            try await watchdog.run {
                asked.update { $0 = true }
                return [{ _ = try? await answers.first { $0 } }]
            }
        }
        _ = try await asked.first { $0 }
        #expect(beats.value == 0)
        answers.update { $0 = true }
        _ = try await beats.first { $0 > 0 }
        task.cancel()
    }

    @Test("lets urgent work interrupt patient work, which goes on behind it")
    func priorityGate() async throws {
        let priorityGate = PriorityGate()
        let log = Awaited<[String]>([])
        let interrupted = Awaited(false)
        let patient = Task {
            for round in 1...2 {
                let wasInterrupted = try await priorityGate.inBackground {
                    log.update { $0.append("patient \(round)") }
                    if round == 2 { return Task.isCancelled }
                    _ = try? await Awaited(0).first { _ in false }
                    interrupted.update { $0 = true }
                    return Task.isCancelled
                }
                #expect(wasInterrupted == (round == 1))
            }
        }
        _ = try await log.first { $0 == ["patient 1"] }
        await priorityGate.urgently {
            // What is over before the other can be interrupted need not interrupt it.
            _ = try? await interrupted.first { $0 }
            log.update { $0.append("urgent") }
        }
        try await patient.value
        #expect(log.value == ["patient 1", "urgent", "patient 2"])
    }
}
