import Apod
import Glibc
import TestSupport
import Testing

struct SocketPlaceTests {
    @Test(
        "A service is found where systemd puts its socket, and tells what it waits for")
    func runtimeFolder() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        let runtime = sandbox.folder.appending("run")
        mkdir(runtime, 0o755)
        mkdir("\(runtime)/apod-mirror", 0o755)
        let own = "\(runtime)/apod-mirror"
        let program = try await mirror.start(
            by: "export RUNTIME_DIRECTORY='\(own):/other'; exec \"$@\"")
        #expect(listing(own).count == 1)
        #expect(listing(mirror[".apod-mirror"]).allSatisfy { !$0.contains("control") })
        try await sandbox.sync().succeeds()

        // The disk goes away: there is nothing that says where the socket is, but for its usual place.
        rename(mirror.root, "\(mirror.root).away")
        try symlinkIntoVanished(mirror)
        try await program.complained(" has no mirror in it any more")
        let status = try await sandbox.run("status", with: ["XDG_RUNTIME_DIR": runtime])
        status.fails(output: .containing("\nthe service waits:\n  \(mirror.root) has no mirror"))
        let json = try await sandbox.run("status", "--json", with: ["XDG_RUNTIME_DIR": runtime]).json()
        #expect(json.conditions("waiting").first?["failure"]?["code"]?.string == "away")
        // Another mirror's service is not asked.
        let variables = sandbox.environment.merging(["XDG_RUNTIME_DIR": runtime]) { $1 }
        let words = sandbox.words(["status", "--root", sandbox.folder.appending("other")])
        try await Program.run(CommandSandbox.program, words, environment: variables).says(
            output: "", errors: .containing("` makes it. "))

        rename("\(mirror.root).away", mirror.root)
        try await program.outcome { $0.output.components("watching ") > 1 }
        try await sandbox.sync().succeeds()
        _ = try await mirror.stop()
        #expect(listing(own).isEmpty)
    }

    /// So that the service notices at once.
    private func symlinkIntoVanished(_ mirror: ServiceSandbox) throws {
        guard symlink("x", "\(mirror.root).away/favorites/x") == 0 else { throw SystemError("symlink") }
    }

    @Test("A service is found in a folder whose path is longer than an address may be")
    func longPath() async throws {
        let sandbox = try CommandSandbox(days: 1)
        let root = sandbox.folder.appending(String(repeating: "a long name/", count: 20) + "APOD")
        try sandbox.set("root = \(root)\nsince = 2019-04-30\nupstream = \(sandbox.nasa.origin)\nrate = 0\n")
        try await sandbox.sync().succeeds()
        let program = try sandbox.start("run")
        try await program.said("watching ")
        #expect(try await sandbox.sync().output == "nothing new\n")
        #expect(try await sandbox.json("status")["service"]?["process"]?.integer == Int(program.id))
        try await sandbox.run("favorites", "add", "2019-04-30").succeeds()
        program.send(SIGTERM)
        #expect(try await program.finished().errors == "")
    }
}

extension String {
    /// How often something is in it.
    fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
