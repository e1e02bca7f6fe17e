import Glibc
import TestSupport
import Testing

/// A call fails in the favorites folder, each time or the first times (strace(1)).
struct FavoritesFaultTests {
    private let home: CommandSandbox

    init() async throws { home = try await CommandSandbox(days: 1).synced() }

    private func fault(_ call: String) -> [String] {
        ["-f", "-o", "/dev/null", "-P", home["favorites"], "-e", "trace=\(call)", "-e", "inject=\(call):error=EIO"]
    }

    @Test("A service looks again at favorites that it could not read, and says so")
    func again() async throws {
        let service = try home.start("run")
        try await service.said("watching ")
        let strace = try Program("/usr/bin/strace", fault("readlinkat") + ["-p", "\(service.id)"])
        try await strace.complained("attached")
        let picture = try #require(try await home.files(".jpg").first)
        try home.link("x", to: "../\(picture)")
        try await service.complained("cannot read the link")
        #expect(try await home.run("status", "--json").output.contains("cannot read the link"))
        strace.send(SIGTERM)
        try await service.said("is kept up with again")
        try await home.run("favorites", "list").succeeds(output: .containing("\(CommandSandbox.newest)"))
        service.send(SIGTERM)
        try await service.finished().succeeds(errors: .containing("cannot read the link"))
    }
}
