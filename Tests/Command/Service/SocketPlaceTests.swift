import Apod
import Glibc
import TestSupport
import Testing

struct SocketPlaceTests {
    @Test(
        "The socket of a service is where systemd says, whatever there is of the mirror, and tells what is waited for")
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

    @Test("The socket of a service is where the service is found when the mirror's own folder was deleted")
    func ownFolder() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let (sandbox, root) = (mirror.sandbox, mirror.root)
        try await mirror.startInRuntime()
        // In one step: the service may be making files in it.
        #expect(rename("\(root)/.apod-mirror", sandbox.folder.appending("deleted")) == 0)
        let status = try await sandbox.run("status", with: ["XDG_RUNTIME_DIR": mirror.runtime])
        let told = (status.errors + status.output).replacing(#/\s+/#, with: " ")
        status.fails(output: .containing("\nsettings "))
        // A service that is at work notices it before it is asked.
        if !told.contains("the service waits: \(root)/.apod-mirror is not what it was any more: ") {
            #expect(told.contains("\(root) has no mirror in it any more"), "\(told)")
            #expect(told.contains("if you deleted it on purpose, or only .apod-mirror, `"))
        }
        #expect(!told.contains("`apod-mirror sync`"), "\(told)")
        _ = try await mirror.stop()
    }

    /// So that the service notices at once.
    private func symlinkIntoVanished(_ mirror: ServiceSandbox) throws {
        guard symlink("x", "\(mirror.root).away/favorites/x") == 0 else { throw SystemError("symlink") }
    }

    @Test("The socket of a service is found in a folder with a path longer than an address may be")
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

    @Test(
        "The socket of a service is for the group, even if new files are for nobody else",
        .enabled(if: geteuid() == 0, "needs root"))
    func permissions() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let sandbox = mirror.sandbox
        try await mirror.start(
            by: "chown -R 234:2345 '\(mirror.root)'; umask 077; "
                + "exec setpriv --reuid 234 --regid 2345 --clear-groups \"$@\"")
        let socket = mirror[".apod-mirror/control"]
        #expect(Facts(socket)?.permissions == 0o660)
        func someone(_ identity: String, _ words: String...) async throws -> Program.Outcome {
            try await sandbox.shell("exec setpriv \(identity) \"$@\"", words)
        }
        let sync = ["sync", "--until", "2019-04-30"]
        let member = "--reuid 65534 --regid 2345 --clear-groups"
        let other = "--reuid 65534 --regid 65534 --groups 234"
        try await someone(member, sync[0], sync[1], sync[2]).succeeds(output: "nothing new\n", errors: "")
        try await someone(member, "favorites", "add", "2019-04-30").succeeds(
            output: .starting("made favorites/"), errors: "")
        #expect(try mirror.count() == 1)
        let root = try await sandbox.run(sync[0], sync[1], sync[2])
        root.succeeds(output: "nothing new\n", errors: "")
        try await someone(other, sync[0], sync[1], sync[2]).fails(
            output: "", errors: .containing("only user 234, root and members of the group 2345 may"),
            .without("To join"))
        try await someone(other, "favorites", "remove", "2019-04-30").fails(errors: .containing("Permission denied"))
    }

    @Test(
        "The socket of a service is for members to ask for days, and for the owner to ask for all else",
        .enabled(if: geteuid() == 0, "needs root"))
    func askers() async throws {
        let mirror = try await ServiceSandbox(days: 2)
        let sandbox = mirror.sandbox
        try await mirror.start(
            by: "chown -R daemon:games '\(mirror.root)'; "
                + "exec setpriv --reuid daemon --regid games --clear-groups \"$@\"")
        let other = try FakeNASA([Entry(CommandSandbox.newest, title: "Of Another")])
        func member(_ words: String...) async throws -> Program.Outcome {
            // What is set for oneself does not reach the service.
            let script = "export APOD_MIRROR_UPSTREAM='\(other.origin)'; chmod -R g+rX '\(sandbox.folder.path)'; "
            return try await sandbox.shell(
                script + "exec setpriv --reuid nobody --regid games --clear-groups \"$@\"", words)
        }
        try await member("sync", "\(CommandSandbox.newest)").succeeds(errors: "")
        try await member("sync", "--until", "\(CommandSandbox.newest)").succeeds(errors: "")
        try await member("verify").succeeds(errors: "")
        let before = try await sandbox.files()
        let refused = [
            ["sync"], ["sync", "\(CommandSandbox.newest)", "--upstream", other.origin], ["prune"],
            ["verify", "--repair"],
            ["revert", "\(CommandSandbox.newest)"],
        ]
        for words in refused {
            let script = "exec setpriv --reuid nobody --regid games --clear-groups \"$@\""
            try await sandbox.shell(script, words).fails(
                output: "", errors: .starting("apod-mirror: only the mirror's owner, daemon, and root may "),
                .containing("run the same command with sudo. Members of its group may "))
        }
        #expect(try await sandbox.files() == before)
        unlink(mirror[try mirror.picture(0)])
        try await member("verify").fails(errors: .without("only "))
        #expect(try await sandbox.json("status").conditions("damaged").isEmpty)
        try await sandbox.run("verify", "--repair").succeeds()
        try await sandbox.run("sync").succeeds()
        let told = try await mirror.stop().output
        #expect(told.contains("nobody (uid 65534) asks for: sync \(CommandSandbox.newest)\n"), "\(told)")
        let settings = "\(CommandSandbox.newest) --upstream \(other.origin)/"
        #expect(told.contains("nobody (uid 65534) may not ask for: sync \(settings)\n"), "\(told)")
        #expect(told.contains("root (uid 0) asks for: sync\n"), "\(told)")
        #expect(!told.contains("Of Another"), "\(told)")
    }

    @Test("The socket of a service that is not answered keeps nobody waiting for the status")
    func suspended() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let program = try await mirror.rested()
        program.send(SIGSTOP)
        let start = ContinuousClock.now
        let status = try await mirror.sandbox.json("status")
        #expect(status["service"]?.text == "null" && status["days"]?.integer == 1)
        #expect(.now - start < .seconds(6))
        program.send(SIGCONT)
        try await mirror.sandbox.sync().succeeds()
    }

    @Test(
        "The socket of a service tells who is not in the group of a service that all share how to join",
        .enabled(if: geteuid() == 0, "needs root"))
    func joining() async throws {
        let mirror = try await ServiceSandbox(days: 1)
        try await mirror.start(
            by: "chown -R daemon:games '\(mirror.root)'; "
                + "exec setpriv --reuid daemon --regid games --clear-groups \"$@\"")
        try await mirror.sandbox.shell(
            "exec setpriv --reuid nobody --regid nogroup --clear-groups \"$@\"", "sync", "2019-04-30"
        ).fails(
            errors: .containing("only daemon, root and members of the group games may"),
            .containing("to join: `sudo adduser nobody games`, then log out, and in again"))
    }

    @Test("The socket of a service tells whoever starts a second service what runs already")
    func second() async throws { try await second(by: "") }

    @Test(
        "The socket of a service tells another person who starts a second service what runs already",
        .enabled(if: geteuid() == 0, "needs root"))
    func secondOfAnother() async throws { try await second(by: "setpriv --reuid 65534 ") }

    private func second(by person: String) async throws {
        let mirror = try await ServiceSandbox(days: 1)
        let first = try await mirror.start()
        let words = "a service keeps \(mirror.root) already (process \(first.id))"
        try await mirror.sandbox.shell("exec \(person)\"$@\"", "run").fails(errors: .containing(words))
        try await mirror.sandbox.sync().succeeds()
        try await mirror.stop().succeeds()
    }
}

extension String {
    /// How often something is in it.
    fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
