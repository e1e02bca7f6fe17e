import Apod
import Glibc
import TestSupport
import Testing

@Suite("The socket of a service")
struct SocketPlaceTests {
    @Test("is where systemd says, whatever there is of the mirror, and tells what is waited for")
    func runtimeFolder() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let runtime = household.folder.appending("run")
        mkdir(runtime, 0o755)
        mkdir("\(runtime)/apod-mirror", 0o755)
        let own = "\(runtime)/apod-mirror"
        let program = try await attendance.start(
            by: "export RUNTIME_DIRECTORY='\(own):/other'; exec \"$@\"")
        #expect(listing(own).count == 1)
        #expect(listing(attendance[".apod-mirror"]).allSatisfy { !$0.contains("control") })
        try await household.sync().succeeds()

        // The disk goes away: there is nothing that says where the socket is, but for its usual place.
        rename(attendance.root, "\(attendance.root).away")
        try symlinkIntoVanished(attendance)
        try await program.complained(" has no mirror in it any more")
        let status = try await household.run("status", with: ["XDG_RUNTIME_DIR": runtime])
        status.fails(output: .containing("\nthe service waits:\n  \(attendance.root) has no mirror"))
        let json = try await household.run("status", "--json", with: ["XDG_RUNTIME_DIR": runtime]).json()
        #expect(json.conditions("waiting").first?["failure"]?["code"]?.string == "away")
        // Another mirror's service is not asked.
        let variables = household.environment.merging(["XDG_RUNTIME_DIR": runtime]) { $1 }
        let words = household.words(["status", "--root", household.folder.appending("other")])
        try await Program.run(Household.program, words, environment: variables).says(
            output: "", errors: .containing("` makes it. "))

        rename("\(attendance.root).away", attendance.root)
        try await program.outcome { $0.output.components("watching ") > 1 }
        try await household.sync().succeeds()
        _ = try await attendance.stop()
        #expect(listing(own).isEmpty)
    }

    @Test("is where the service is found when the mirror's own folder was deleted")
    func ownFolder() async throws {
        let attendance = try await Attendance(days: 1)
        let (household, root) = (attendance.household, attendance.root)
        try await attendance.startInRuntime()
        // In one step: the service may be making files in it.
        #expect(rename("\(root)/.apod-mirror", household.folder.appending("deleted")) == 0)
        let status = try await household.run("status", with: ["XDG_RUNTIME_DIR": attendance.runtime])
        let told = (status.errors + status.output).replacing(#/\s+/#, with: " ")
        status.fails(output: .containing("\nsettings "))
        // A service that is at work notices it before it is asked.
        if !told.contains("the service waits: \(root)/.apod-mirror is not what it was any more: ") {
            #expect(told.contains("\(root) has no mirror in it any more"), "\(told)")
            #expect(told.contains("if you deleted it on purpose, or only .apod-mirror, `"))
        }
        #expect(!told.contains("`apod-mirror sync`"), "\(told)")
        _ = try await attendance.stop()
    }

    /// So that the service notices at once.
    private func symlinkIntoVanished(_ attendance: Attendance) throws {
        guard symlink("x", "\(attendance.root).away/favorites/x") == 0 else { throw SystemError("symlink") }
    }

    @Test("is found in a folder with a path longer than an address may be")
    func longPath() async throws {
        let household = try Household(days: 1)
        let root = household.folder.appending(String(repeating: "a long name/", count: 20) + "APOD")
        try household.set("root = \(root)\nsince = 2019-04-30\nupstream = \(household.nasa.origin)\nrate = 0\n")
        try await household.sync().succeeds()
        let program = try household.start("run")
        try await program.said("watching ")
        #expect(try await household.sync().output == "nothing new\n")
        #expect(try await household.json("status")["service"]?["process"]?.integer == Int(program.id))
        try await household.run("favorites", "add", "2019-04-30").succeeds()
        program.send(SIGTERM)
        #expect(try await program.finished().errors == "")
    }

    @Test("is for the group, even if new files are for nobody else", .enabled(if: geteuid() == 0))
    func permissions() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        try await attendance.start(
            by: "chown -R 234:2345 '\(attendance.root)'; umask 077; "
                + "exec setpriv --reuid 234 --regid 2345 --clear-groups \"$@\"")
        let socket = attendance[".apod-mirror/control"]
        #expect(Facts(socket)?.permissions == 0o660)
        func someone(_ identity: String, _ words: String...) async throws -> Program.Outcome {
            try await household.shell("exec setpriv \(identity) \"$@\"", words)
        }
        let sync = ["sync", "--until", "2019-04-30"]
        let member = "--reuid 65534 --regid 2345 --clear-groups"
        let other = "--reuid 65534 --regid 65534 --groups 234"
        try await someone(member, sync[0], sync[1], sync[2]).succeeds(output: "nothing new\n", errors: "")
        try await someone(member, "favorites", "add", "2019-04-30").succeeds(
            output: .starting("made favorites/"), errors: "")
        #expect(try attendance.count() == 1)
        let root = try await household.run(sync[0], sync[1], sync[2])
        root.succeeds(output: "nothing new\n", errors: "")
        try await someone(other, sync[0], sync[1], sync[2]).fails(
            output: "", errors: .containing("only user 234, root and members of the group 2345 may"),
            .without("To join"))
        try await someone(other, "favorites", "remove", "2019-04-30").fails(errors: .containing("Permission denied"))
    }

    @Test("is for members to ask for days, and for the owner to ask for all else", .enabled(if: geteuid() == 0))
    func askers() async throws {
        let attendance = try await Attendance(days: 2)
        let household = attendance.household
        try await attendance.start(
            by: "chown -R daemon:games '\(attendance.root)'; "
                + "exec setpriv --reuid daemon --regid games --clear-groups \"$@\"")
        let other = try FakeNASA([Entry(Household.newest, title: "Of Another")])
        func member(_ words: String...) async throws -> Program.Outcome {
            // What is set for oneself does not reach the service.
            let script = "export APOD_MIRROR_UPSTREAM='\(other.origin)'; chmod -R g+rX '\(household.folder.path)'; "
            return try await household.shell(
                script + "exec setpriv --reuid nobody --regid games --clear-groups \"$@\"", words)
        }
        try await member("sync", "\(Household.newest)").succeeds(errors: "")
        try await member("sync", "--until", "\(Household.newest)").succeeds(errors: "")
        try await member("verify").succeeds(errors: "")
        let before = try await household.files()
        let refused = [
            ["sync"], ["sync", "\(Household.newest)", "--upstream", other.origin], ["prune"], ["verify", "--repair"],
            ["revert", "\(Household.newest)"],
        ]
        for words in refused {
            let script = "exec setpriv --reuid nobody --regid games --clear-groups \"$@\""
            try await household.shell(script, words).fails(
                output: "", errors: .starting("apod-mirror: only the mirror's owner, daemon, and root may "),
                .containing("run the same command with sudo. Members of its group may "))
        }
        #expect(try await household.files() == before)
        unlink(attendance[try attendance.picture(0)])
        try await member("verify").fails(errors: .without("only "))
        #expect(try await household.json("status").conditions("damaged").isEmpty)
        try await household.run("verify", "--repair").succeeds()
        try await household.run("sync").succeeds()
        let told = try await attendance.stop().output
        #expect(told.contains("nobody (uid 65534) asks for: sync \(Household.newest)\n"), "\(told)")
        let settings = "\(Household.newest) --upstream \(other.origin)/"
        #expect(told.contains("nobody (uid 65534) may not ask for: sync \(settings)\n"), "\(told)")
        #expect(told.contains("root (uid 0) asks for: sync\n"), "\(told)")
        #expect(!told.contains("Of Another"), "\(told)")
    }

    @Test("that is not answered keeps nobody waiting for the status")
    func suspended() async throws {
        let attendance = try await Attendance(days: 1)
        let program = try await attendance.rested()
        program.send(SIGSTOP)
        let start = ContinuousClock.now
        let status = try await attendance.household.json("status")
        #expect(status["service"]?.text == "null" && status["days"]?.integer == 1)
        #expect(.now - start < .seconds(6))
        program.send(SIGCONT)
        try await attendance.household.sync().succeeds()
    }

    @Test("tells who is not in the group of a service that all share how to join", .enabled(if: geteuid() == 0))
    func joining() async throws {
        let attendance = try await Attendance(days: 1)
        try await attendance.start(
            by: "chown -R daemon:games '\(attendance.root)'; "
                + "exec setpriv --reuid daemon --regid games --clear-groups \"$@\"")
        try await attendance.household.shell(
            "exec setpriv --reuid nobody --regid nogroup --clear-groups \"$@\"", "sync", "2019-04-30"
        ).fails(
            errors: .containing("only daemon, root and members of the group games may"),
            .containing("to join: `sudo adduser nobody games`, then log out, and in again"))
    }

    @Test("tells whoever starts a second service what runs already", arguments: ["", "setpriv --reuid 65534 "])
    func second(person: String) async throws {
        let attendance = try await Attendance(days: 1)
        let first = try await attendance.start()
        let words = "a service keeps \(attendance.root) already (process \(first.id))"
        try await attendance.household.shell("exec \(person)\"$@\"", "run").fails(errors: .containing(words))
        try await attendance.household.sync().succeeds()
        try await attendance.stop().succeeds()
    }
}

extension String {
    /// How often something is in it.
    fileprivate func components(_ word: String) -> Int { ranges(of: word).count }
}
