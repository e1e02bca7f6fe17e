import Apod
import Glibc
import TestSupport
import Testing

struct OwnerTests {
    @Test(
        "A mirror's folder matters to root, who makes nothing in somebody else's",
        .enabled(if: geteuid() == 0, "needs root"))
    func foreign() async throws {
        let sandbox = try await CommandSandbox(days: 2).synced()
        let before = try await sandbox.files()
        _ = try await sandbox.shell("chown -R nobody: '\(sandbox.root)'")
        sandbox.nasa.add(Entry(CommandSandbox.newest.advanced(by: -9)))
        try await sandbox.sync("--since", "\(CommandSandbox.newest.advanced(by: -9))").fails(
            errors: .containing("belongs to nobody"), .containing("sudo -u nobody"))
        #expect(try await sandbox.files() == before)
        // What everybody may do is not refused.
        try await sandbox.run("status").succeeds()
    }

    @Test(
        "A mirror's folder is told to those who may not write there, instead of waiting for ever",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: ["sync", "run"])
    func guest(command: String) async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        try await sandbox.shell(
            "chmod -R a+rX '\(sandbox.folder.path)'; \(CommandSandbox.nobody) \"$@\"",
            command
        ).fails(errors: .containing("belongs to root"), .containing("; run this as root (`sudo apod-mirror …`)"))
    }

    @Test(
        "A mirror's folder is waited for by systemd's service, and by nobody else",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [["NOTIFY_SOCKET"], ["INVOCATION_ID", "NOTIFY_SOCKET"]])
    func guestOfSystemd(variables: [String]) async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        let person = ["--reuid", "65534", "--regid", "65534", "--clear-groups", CommandSandbox.program]
        let program = try Program(
            "/usr/bin/setpriv", person + sandbox.words(["run"]),
            environment: sandbox.environment.merging(variables.map { ($0, "/none") }) { $1 }, limit: .seconds(180))
        let outcome = try await program.complained("waiting: ")
        let isWaiting = variables.count == 2
        #expect(outcome.errors.contains("belongs to root") == !isWaiting, "\(outcome)")
        program.send(SIGTERM)
        let end = try await program.finished()
        #expect(end.status == (isWaiting ? 0 : 1), "\(end)")
    }

    @Test(
        "A mirror's folder is told to those who may not make it, with what to do about that",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: zip(["sync", "run", "sync"], ["", "root", "state"]))
    func closed(command: String, there: String) async throws {
        let sandbox = try CommandSandbox(days: 1)
        let state = sandbox.folder.appending("state")
        if !there.isEmpty { mkdir(there == "root" ? sandbox.root : state, 0o755) }
        let option = there == "state" ? "--root /tmp/none --state '\(state)'" : ""
        let script =
            "\(CommandSandbox.nobody) \"$@\" \(option)"
        let folder = there == "state" ? state : sandbox.root
        let advice =
            there == "state"
            ? "`sudo chown -R nobody: '\(state)'` gives it to the mirror"
            : "name another folder in the settings, or make this one yours: `sudo install -d -o nobody '\(folder)'`"
        try await sandbox.shell(script, command).fails(
            errors: "apod-mirror: cannot write in \(folder): Permission denied; \(advice)\n")
    }

    @Test(
        "A mirror's folder cannot be seen behind a folder that lets nobody in, which is said by all commands",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: [("", "x"), ("/apod", "rx"), ("/apod/.apod-mirror", "rx")])
    func hidden(closed: String, rights: String) async throws {
        let sandbox = try CommandSandbox(days: 1)
        let home = sandbox.folder.appending("it's a home")
        let folder = home + closed
        try await sandbox.sync("--root", "\(home)/apod").succeeds()
        #expect(symlink(home, sandbox.folder.appending("way")) == 0)
        let close = "chmod -R a+rX '\(sandbox.folder.path)'; chmod 700 \(Text.quoted(folder))"
        let person = "\(close); \(CommandSandbox.nobody) \"$@\" --root "
        // Who may not read the catalog may read the tree.
        let ofTree = closed.isEmpty ? [["show"]] : []
        let commands =
            ofTree + [
                ["sync"], ["run"], ["verify"], ["prune"], ["thumbnails"], ["search", "x"],
                ["favorites", "--json"], ["favorites", "add", "2019-04-30"],
            ]
        for (root, commands) in [("\(home)/apod", commands), (sandbox.folder.appending("way/apod"), [["status"]])] {
            for words in commands {
                let outcome = try await sandbox.shell(person + Text.quoted(root), words)
                let advice = "`sudo chmod a+\(rights) \(Text.quoted(folder))` allows it"
                let told = "apod-mirror: cannot look into \(folder): Permission denied; \(advice)\n"
                #expect(outcome.status == 1 && outcome.output.isEmpty, "\(words): \(outcome)")
                #expect(outcome.errors == told, "\(words)")
            }
        }
    }

    @Test(
        "A mirror's folder is nobody's to give away where it holds other things",
        .enabled(if: geteuid() == 0, "needs root"))
    func others() async throws {
        let sandbox = try CommandSandbox(days: 1)
        try await sandbox.shell("\(CommandSandbox.nobody) \"$@\" --root /usr", "sync").fails(
            errors: .containing("cannot write in /usr: "), .containing("there are other things in this one"),
            .without("sudo"))
    }

    @Test(
        "A mirror's folder is told to whoever begins a new one, where the service that all share had one",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"), arguments: ["missing", "empty", "its own"])
    func awayForService(root: String) async throws {
        let sandbox = try CommandSandbox(days: 1)
        if root != "missing" { mkdir(sandbox.root, 0o755) }
        if root == "its own" { #expect(chown(sandbox.root, 1, 1) == 0) }
        // In /var/lib as nobody else sees it, and where no service is installed.
        let script = """
            { [ ! -d /usr/lib/systemd/system ] || mount -t tmpfs none /usr/lib/systemd/system; } &&
                mount -t tmpfs none /var/lib && mkdir /var/lib/apod-mirror && chown daemon: /var/lib/apod-mirror &&
                printf '%s\\n' /elsewhere '\(sandbox.root)' >/var/lib/apod-mirror/roots && exec
            """
        // Also to the service itself, which says it of what it waits for.
        let itself = "/usr/bin/setpriv --reuid 1 --regid 1 --clear-groups"
        for (person, command) in [("", "status"), (itself, "sync")] {
            let outcome = try await sandbox.privately("\(script) \(person) \"$@\"", [command])
            let folders = (root == "its own" ? [] : [sandbox.root]) + [sandbox[".apod-mirror"]]
            let advice = "`sudo install -d -o daemon -g daemon \(folders.map { "'\($0)'" }.joined(separator: " "))`"
            outcome.fails(errors: .containing("if you deleted it on purpose, or only .apod-mirror, \(advice) lets"))
            #expect(outcome.errors.contains("mount its disk") && listing(sandbox.root).isEmpty, "\(outcome)")
        }
    }

    @Test(
        "A mirror's folder is begun anew with a restart where systemd runs, which lets a service write in no folder that it has not seen",
        .enabled(if: Disk.canBeMade, "needs root and mount(2)"), arguments: [true, false])
    func awayForUnit(systemd: Bool) async throws {
        let sandbox = try CommandSandbox(days: 1)
        mkdir(sandbox.root, 0o755)
        // In both as nobody else sees them.
        let script = """
            \(CommandSandbox.systemService(systemd: systemd)) && mount -t tmpfs none /etc
            printf 'root:x:0:0::/:\ndaemon:x:1:1::/:\n' >/etc/passwd
            mount -t tmpfs none /var/lib && mkdir /var/lib/apod-mirror && chown 1:1 /var/lib/apod-mirror &&
                printf '%s\n' '\(sandbox.root)' >/var/lib/apod-mirror/roots && exec "$@"
            """
        let make = "sudo install -d -o daemon -g daemon '\(sandbox.root)' '\(sandbox.root)/.apod-mirror'"
        let restart = " && sudo systemctl daemon-reload && sudo systemctl restart apod-mirror"
        let advice = "`\(make)\(systemd ? restart : "")`"
        try await sandbox.privately(script, ["status"]).fails(
            errors: .containing("if you deleted it on purpose, or only .apod-mirror, \(advice) lets"))
    }

    @Test("A mirror's folder is asked of the service that waits for it")
    func waiting() async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        let aside = sandbox.folder.appending("aside")
        rename(sandbox.root, aside)
        mkdir(sandbox.root, 0o755)
        let runtime = sandbox.folder.appending("run")
        _ = try await sandbox.shell("mkdir -p '\(runtime)/apod-mirror'")
        let program = try sandbox.start("run", with: ["RUNTIME_DIRECTORY": "\(runtime)/apod-mirror"])
        try await program.complained("waiting: ")
        try await sandbox.run("sync", with: ["XDG_RUNTIME_DIR": runtime], limit: .seconds(180)).fails(
            errors: .containing("has no mirror in it any more"))
        program.send(SIGTERM)
        _ = try await program.finished()
    }
}
