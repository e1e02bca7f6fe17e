import Apod
import TestSupport
import Testing

/// What only the system can lack is made up by strace.
@Suite("Where this machine has no room for a connection")
struct ShortageTests {
    @Test(
        "a sync ends and says so; no day and no host is blamed, and the next goes on",
        .enabled { await DiskRecord.isPossible() },
        arguments: [
            ("socket:error=EMFILE:when=1+", "Too many open files", []),
            ("socket:error=EMFILE:when=1+", "Too many open files", ["2019-04-30"]),
            // The records come, and the pictures do not.
            ("socket:error=ENFILE:when=2+", "Too many open files in system", []),
            ("connect:error=ENOBUFS:when=1+", "No buffer space available", []),
        ])
    func sync(fault: String, words: String, days: [String]) async throws {
        let household = try Household(days: 30)
        let outcome = try await Program.run(
            DiskRecord.strace,
            ["-f", "-qq", "-o", "/dev/null", "-e", "trace=socket,connect", "-e", "inject=\(fault)", Household.program]
                + household.words(["sync"] + days), environment: household.environment)
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("cannot connect to \(household.nasa.origin): \(words)"), "\(outcome)")
        let status = try await household.run("status", "--json").json()
        #expect(status.conditions("failed").isEmpty)
        let last = status.conditions("unfinished").first?["failure"]?["reason"]?.string
        #expect((last?.contains(words) ?? false) == days.isEmpty)
        #expect(try await household.sync().status == 0)
        #expect(try await household.run("status", "--json").json()["pictures"]?.integer == 30)
    }
}
