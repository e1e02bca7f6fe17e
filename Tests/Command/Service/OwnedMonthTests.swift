import Apod
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0, "needs root"))
struct OwnedMonthTests {
    private let since = "2019-03-17"

    private func sync(_ home: CommandSandbox) async throws -> Program.Outcome {
        try await home.someone("sync", "--since", since, "--until", "\(CommandSandbox.newest)")
    }

    private func sandbox(_ script: String) async throws -> CommandSandbox {
        let home = try CommandSandbox(days: 45)
        let outcome = try await home.shell(
            "mkdir '\(home.root)' && cd '\(home.root)' && mkdir 2019 .apod-mirror && chown 65534 . * .a* && \(script)")
        try #require(outcome.status == 0, "\(outcome.errors)")
        return home
    }

    /// What `status` says is done.
    private func heed(_ home: CommandSandbox, _ month: String) async throws {
        let advice = "chown -R nobody: '\(home.root)/\(month)'"
        let status = try await home.someone("status").unwrapped
        #expect(status.contains("`sudo \(advice)` gives it to the mirror"))
        try await home.shell(advice).succeeds()
    }

    private func pictures(_ home: CommandSandbox) async throws -> Int {
        try await home.files(".jpg").count { $0.hasPrefix("2019/") }
    }

    private func latest(_ home: CommandSandbox) -> String { target(of: home["latest"]) ?? "" }

    @Test(
        "A month's folder that is root's, where the mirror is somebody else's costs its own days alone, and is opened by what is told",
        arguments: zip(["03", "04"], ["755", "700"]))
    func made(month: String, mode: String) async throws {
        let home = try await sandbox("mkdir -m \(mode) 2019/\(month)")
        let own = month == "04" ? 30 : 15
        let sum = "\(45 - own) fetched, \(own) failed; the next sync tries again\n"
        try await sync(home).fails(output: .ending(sum))
        #expect(try await pictures(home) == 45 - own)
        try await heed(home, "2019/\(month)")
        try await sync(home).succeeds(errors: "")
        #expect(try await pictures(home) == 45)
        try await home.someone("verify").succeeds()
    }

    @Test(
        "A month's folder that is root's, where the mirror is somebody else's that may not be looked into any more costs nothing else, not even a new catalog"
    )
    func taken() async throws {
        let home = try await sandbox("true")
        try await sync(home).succeeds()
        let latest = latest(home)
        #expect(latest.hasPrefix("2019/04/2019-04-30"))
        let path = "'\(home.root)/2019/04'"
        try await home.shell("chown root \(path) && chmod 700 \(path)").succeeds()
        try await home.shell("rm '\(home.root)'/.apod-mirror/catalog*").succeeds()
        try await sync(home).fails(output: .ending(" 30 failed; the next sync tries again\n"))
        #expect(self.latest(home).hasPrefix("2019/03/2019-03-31"))
        let requests = home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) }
        try await home.someone("verify").succeeds()
        try await heed(home, "2019/04")
        try await sync(home).succeeds()
        #expect(home.nasa.requests.count { $0.path.hasPrefix(Entry.originals) } == requests)
        #expect(self.latest(home) == latest)
        #expect(try await home.someone("verify").output.hasPrefix("90 files checked"))
    }
}
