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

    private func failing(_ call: String) -> String { "strace -qq '\(fault(call).joined(separator: "' '"))' \"$@\"" }

    @Test(
        "Where the disk fails in the favorites what could not be seen is not told as done; the next sync sees it",
        arguments: ["readlinkat", "statx"])
    func untold(call: String) async throws {
        let day = "\(CommandSandbox.newest)"
        try await home.shell(failing(call), "favorites", "add", day).fails(output: "", errors: .containing("cannot "))
        _ = try await home.sync()
        try await home.run("favorites", "list").succeeds(output: .starting(day))
    }

    @Test("Where the disk fails in the favorites an order that could not be made is told, and made by the next sync")
    func untidy() async throws {
        let picture = try #require(try await home.files(".jpg").first)
        try home.link("x", to: home[picture])
        let sync = ["sync", "--until", "\(CommandSandbox.newest)"]
        try await home.shell(failing("symlinkat"), sync).fails(errors: .containing("make the link"))
        try await home.run(sync).succeeds()
        #expect(target(of: home["favorites/x"]) == "../\(picture)")
    }

    @Test("Where the disk fails in the favorites a service looks again, though nothing else happens, and tells of it")
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
        try await home.run("favorites", "list").succeeds(output: .starting("\(CommandSandbox.newest)"))
        service.send(SIGTERM)
        try await service.finished().succeeds(errors: .containing("cannot read the link"))
    }
}
