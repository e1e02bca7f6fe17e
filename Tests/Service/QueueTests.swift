import Apod
import Files
import Store
import Syncing
import TestMirror
import TestSupport
import Testing

@testable import Service

@Suite(.patience)
struct QueueTests {
    private let time = FakeClock(1_000)
    private let told = Awaited<[JournalEntry]>([])
    private let activity = Activity()
    private let never: @Sendable () async throws -> Void = { _ = try await Awaited(0).first { _ in false } }

    /// A queue of this work, for as long as `use` takes. Returns what ended it by itself.
    private func run(
        _ table: [Work], _ change: (inout Queue) -> Void = { _ in }, while use: () async throws -> Void
    ) async throws -> Problem? {
        try await TestMirror(days: 1).mirror { mirror in
            var queue = Queue(
                context: ServiceContext(mirror: mirror, time: time, activity: activity) { [told] event in
                    told.update { $0 += [event].compactMap(JournalEntry.init) }
                })
            change(&queue)
            let service = Task { [queue] in await queue.run(table) }
            defer { service.cancel() }
            try await use()
            service.cancel()
            return await service.value
        }
    }

    @Test(
        "Work that fails is tried again with growing pauses and told once, while the rest goes on",
        arguments: [true, false])
    func failing(asks: Bool) async throws {
        let (pauses, others) = (Awaited<[Int]>([]), Awaited(0))
        let table = [
            Work(.backfill, asks: asks) { throw "a mishap" as Problem },
            Work(.status) { [never] in
                others.update { $0 += 1 }
                try await never()
                return nil
            },
        ]
        let expected =
            asks ? [300, 600, 1200, 2400, 3600, 3600] : [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]
        let change = { (queue: inout Queue) in
            queue.sleep = { pause throws(CancellationError) in
                let count = pauses.update { pauses in
                    pauses.append(Int(pause / .seconds(1)))
                    return pauses.count
                }
                if count == expected.count { try await sleep(for: .seconds(900)) }
            }
        }
        let end = try await run(table, change) {
            for pause in asks ? expected : [] {
                try await time.awaited(exactly: time.now + pause)
                #expect(activity.now.troubles[.backfill] == .init("a mishap", retry: time.now + pause))
                time.pass(pause)
            }
            if !asks { #expect(try await pauses.first("pauses") { $0.count == expected.count } == expected) }
            try await others.first("the rest") { $0 == 1 }
        }
        #expect(end == nil && others.value == 1)
        #expect(told.value.map(\.words) == ["backfill: a mishap; tried again soon"])
        #expect(told.value.map(\.event) == [asks ? .refreshFailed : .trouble])
    }

    @Test(
        "Work that went well begins with short pauses again, and so does what went on for long",
        arguments: [300, 301, nil])
    func afresh(seconds: Int?) async throws {
        let (clock, rounds, pauses) = (Awaited(ContinuousClock.now), Awaited(0), Awaited<[Duration]>([]))
        let table = [
            Work(.gallery, bell: Doorbell()) { [time] in
                let count = rounds.update { rounds in
                    rounds += 1
                    return rounds
                }
                if count == 4, seconds == nil { return time.now }
                if count == 4, let seconds { clock.update { $0 += .seconds(seconds) } }
                if count < 7 { throw "a mishap" as Problem }
                return nil
            }
        ]
        let change = { (queue: inout Queue) in
            queue.now = { clock.value }
            queue.sleep = { pause in pauses.update { $0.append(pause) } }
        }
        _ = try await run(table, change) { try await rounds.first("rounds") { $0 == 7 } }
        let expected = seconds == nil ? [1, 2, 4, 1, 2] : seconds == 301 ? [1, 2, 4, 1, 2, 4] : [1, 2, 4, 8, 16, 32]
        #expect(pauses.value == expected.map { .seconds($0) })
        #expect(told.value.count == (seconds == 300 ? 1 : 2))
        #expect(activity.now.troubles.isEmpty)
    }

    @Test("Work is done again when it is due, and before when its bell rings")
    func due() async throws {
        let (rounds, bell) = (Awaited(0), Doorbell())
        let table = [
            Work(.backfill, bell: bell) { [time] in
                rounds.update { $0 += 1 }
                return time.now + 60
            }
        ]
        _ = try await run(table) {
            try await time.awaited(exactly: 1_060)
            bell.ring()
            try await rounds.first("a round for the bell") { $0 == 2 }
            try await time.awaited(exactly: 1_060)
            time.pass(60)
            try await rounds.first("a round in time") { $0 == 3 }
            try await time.awaited(exactly: 1_120)
        }
        #expect(rounds.value == 3)
    }

    @Test("Work that a person's command has interrupted goes on at once, and is no failure")
    func interrupted() async throws {
        let rounds = Awaited(0)
        let table = [
            Work(.backfill, asks: true) {
                let count = rounds.update { rounds in
                    rounds += 1
                    return rounds
                }
                if count == 1 { throw Problem(.stopped) }
                return nil
            }
        ]
        _ = try await run(table) { try await rounds.first("another round") { $0 == 2 } }
        #expect(told.value.isEmpty)
    }

    @Test("The queue ends when some work says that only opening the mirror anew can help")
    func ending() async throws {
        let (hasBegun, wasCancelled) = (Awaited(false), Awaited(false))
        let failure = try await run([
            Work(.favorites) {
                // Who is cancelled before it has begun does not begin.
                _ = try await hasBegun.first { $0 }
                throw Problem(.moved, path: "/x")
            },
            Work(.status) { [never] in
                hasBegun.update { $0 = true }
                try? await never()
                wasCancelled.update { $0 = true }
                return nil
            },
        ]) { try await wasCancelled.first("an end") { $0 } }
        #expect("\(try #require(failure))".contains("/x is not what it was any more"))
    }

    @Test(
        "A disk that was full has room again when clearly more is free, or twice as much of a little",
        arguments: [
            (0, 999_999, false), (0, 1_000_000, true), (10_000_000, 20_999_999, false), (10_000_000, 21_000_000, true),
            (500_000_000, 563_999_999, false), (500_000_000, 564_000_000, true),
        ])
    func room(before: Int, now: Int, isOver: Bool) throws {
        let wait = DiskFullWait(Problem(.full, path: "/srv/apod", number: 1_000_000), free: before)
        #expect(try #require(wait).isOver(free: now) == isOver)
        #expect(DiskFullWait(Problem(.stopped), free: 0) == nil)
    }
}
