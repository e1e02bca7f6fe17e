import Glibc
import TestSupport
import Testing

/// A person has few processes, and each thread counts as one. Everything is tried with so few that it ends at each thread
/// in turn.
@Suite("Where no more threads can be started", .enabled(if: geteuid() == 0))
struct ThreadLimitTests {
    /// For nobody else: what others run would count, too.
    private static let user = "64123"

    private func limited(_ household: Household, _ threads: Int, _ words: [String]) throws -> Program {
        let limit = ["--nproc=\(threads)", "setpriv", "--reuid", Self.user, "--regid", "0", "--clear-groups"]
        return try Program(
            "/usr/bin/prlimit", limit + [Household.program] + household.words(words),
            environment: household.environment, limit: .seconds(180))
    }

    /// Whether it has done all; otherwise it has said why not.
    private func isDone(_ outcome: Program.Outcome, _ threads: Int) -> Bool {
        if outcome.status == 0 { return true }
        let words = outcome.errors.contains("cannot start a thread: the limit of processes") && outcome.isPlain
        #expect(outcome.status == 1 && words, "\(threads) threads: \(outcome.end as Any) \(outcome.errors)")
        return false
    }

    /// Returns with how many threads it went well.
    private func least(_ work: (Int) async throws -> Program.Outcome) async throws -> Int {
        for threads in 1...20 where isDone(try await work(threads), threads) { return threads }
        Issue.record("it never went well")
        return 0
    }

    @Test("a sync ends, says why and what to do, and goes on from there the next time")
    func sync() async throws {
        let household = try Household(days: 2)
        _ = try await household.shell("chown -R \(Self.user):0 '\(household.folder.path)'")
        // Those of the tasks, that of the transfers, …
        let least = try await least { try await limited(household, $0, ["sync"]).finished() }
        #expect(least > 4)
        #expect(try await household.files().count == 4)
    }

    @Test("the service ends, says why and what to do")
    func service() async throws {
        let attendance = try await Attendance(days: 1)
        _ = try await attendance.household.shell("chown -R \(Self.user):0 '\(attendance.household.folder.path)'")
        let least = try await least { threads in
            let service = try limited(attendance.household, threads, ["run"])
            try await service.said("watching ")
            // What it needs then is there, or is missed at once.
            service.send(SIGTERM)
            return try await service.finished()
        }
        #expect(least > 5)
    }

    @Test("whoever asks a service hears of it")
    func remoteSync() async throws {
        let attendance = try await Attendance(days: 1)
        try await attendance.start()
        let household = attendance.household
        _ = try await household.shell("chmod a+x '\(household.folder.path)'; chmod a+r '\(household.configuration)'")
        let least = try await least { try await limited(household, $0, ["sync"]).finished() }
        #expect(least > 3)
        try await attendance.stop().succeeds()
    }

    @Test(
        "and few files may be open, the service goes on or says why not, and ends when it is told to",
        arguments: [12, 14, 16, 19])
    func files(count: Int) async throws {
        let household = try Household(days: 1)
        let service = try Program(
            "/usr/bin/prlimit", ["--nofile=\(count)", Household.program] + household.words(["run"]),
            environment: household.environment, limit: .seconds(180))
        try await service.outcome { outcome in
            let words = outcome.output + outcome.errors
            return ["watching ", "looking into ", "waiting: ", " soon\n"].contains { words.contains($0) }
        }
        service.send(SIGTERM)
        let outcome = try await service.finished()
        let isTold = outcome.errors.contains("open") && outcome.isPlain
        #expect(outcome.status == 0 || outcome.status == 1 && isTold, "\(outcome.end as Any) \(outcome.errors)")
    }
}
