import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@Suite(.enabled(if: geteuid() == 0, "needs root"))
struct BystanderTests {
    /// Opens all that it can, then locks it in every way that there is, and as long as it lives.
    private let greed = #"""
        use Fcntl ':flock', ':DEFAULT';
        use File::Find;
        my @held;
        my $all = pack('s s x4 q q i x4', F_RDLCK, 0, 0, 0, 0);
        find({ no_chdir => 1, wanted => sub {
            return unless -f $_ || -d _;
            open(my $file, '<', $_) || (-d $_ && sysopen($file, $_, O_RDONLY)) || return;
            push @held, $file;
            flock($file, LOCK_EX | LOCK_NB);
            fcntl($file, F_SETLK, $all);
            fcntl($file, F_SETLEASE, F_RDLCK);
            print "opened $_\n";
        } }, @ARGV);
        $| = 1;
        print "holding\n";
        sleep 100;
        """#

    private func hold(_ mirror: ServiceSandbox) async throws -> Program {
        let program = try Program(
            "/usr/bin/setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", "perl", "-e", greed, mirror.root])
        let outcome = try await program.said("holding")
        #expect(outcome.end == nil, "\(outcome.errors)")
        let opened = outcome.lines.compactMap { $0.split(separator: "/").last }
        #expect(opened.contains("running") && opened.contains("favorites.json") && opened.contains("favorites"))
        #expect(!opened.contains { $0.hasPrefix("catalog.sqlite") })
        #expect(Set(opened).isDisjoint(with: ["lock", "favorites.json.lock"]))
        return program
    }

    /// SQLite waits for a lock for ten seconds.
    @discardableResult
    private func inTime<Value>(
        sourceLocation: SourceLocation = #_sourceLocation, _ step: () async throws -> Value
    ) async throws -> Value {
        let start = ContinuousClock.now
        let value = try await step()
        #expect(.now - start < .seconds(8), sourceLocation: sourceLocation)
        return value
    }

    @Test(
        "Somebody who may only read the tree is not told to sync, which they may not, but who does it",
        arguments: [false, true])
    func unasked(isServed: Bool) async throws {
        let home = try CommandSandbox()
        try await home.sync().succeeds()
        let service = isServed ? try home.start("run", limit: .seconds(180)) : nil
        try await service?.said("watching ")
        let advice =
            isServed
            ? "the service fetches the newest"
            : "the service fetches the newest when it runs: whoever keeps the mirror can start it"
        for (words, what) in [
            (["favorites", "add", "latest"], "there is no picture in \(home.root) yet"),
            (["search", "x"], "there is nothing in \(home.root) yet"), (["show"], "there is no day here yet"),
        ] {
            try await home.someone(words).says(errors: "apod-mirror: \(what); \(advice)\n")
        }
        service?.send(SIGTERM)
        _ = try await service?.finished()
    }

    @Test(
        "Somebody who may only read the tree finds words in a mirror whose catalog is elsewhere, though the mirror's own folder is closed to them"
    )
    func closedFolder() async throws {
        let sandbox = try CommandSandbox(days: 2)
        let state = ["--state", sandbox.folder.appending("state")]
        try await sandbox.sync(state).succeeds()
        chmod(sandbox[".apod-mirror"], 0o700)
        let moved = sandbox.folder.appending("moved")
        for root in [sandbox.root, moved] {
            if root == moved { rename(sandbox.root, moved) }
            let words = ["search", "explanation", "--root", root] + state
            let own = try await sandbox.run(words)
            let found = try await sandbox.someone(words)
            #expect(found.status == 0 && found.output == own.output && !found.output.isEmpty, "\(found)")
        }
    }

    @Test(
        "Somebody who may only read the tree keeps nobody from running, from fetching and from changing favorites, without a service and with one"
    )
    func locks() async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        // So that all its files are there.
        try await sandbox.run("favorites", "add", try mirror.picture(0)).succeeds()
        let bystander = try await hold(mirror)
        let old = CommandSandbox.newest.advanced(by: -500)
        for day in [old, old.advanced(by: -1)] { sandbox.nasa.add(Entry(day)) }
        #expect(try await inTime { try await sandbox.run("sync", "\(old)") }.output.contains("1 fetched"))
        try await inTime { try await sandbox.run("favorites", "remove", "\(CommandSandbox.newest)") }.succeeds()
        try await inTime { try await mirror.start() }
        let name = try mirror.name(0)
        try await inTime {
            try mirror.link("\(name)", to: "../\(try mirror.picture(0))")
            try await mirror.listSays("2019-04-30: \(name)")
        }
        let late = try await hold(mirror)
        let sync = try await inTime { try await sandbox.run("sync", "\(old.advanced(by: -1))") }
        #expect(sync.output.contains("1 fetched"))
        try await inTime { try await sandbox.run("favorites", "add", "2019-04-29") }.succeeds()
        let status = try await inTime { try await sandbox.run("status", "--json") }
        #expect(try status.json()["watching"]?.string == "inotify")
        try await inTime { try await mirror.stop() }.succeeds()
        try await inTime { try await sandbox.run("verify") }.succeeds()
        bystander.kill()
        late.kill()
    }

    @Test(
        "Somebody who may only read the tree finds and lists the same from the files as others from the catalog",
        arguments: [true, false])
    func reads(beside runs: Bool) async throws {
        let mirror = try await ServiceSandbox()
        let sandbox = mirror.sandbox
        if runs { try await mirror.rested() }
        try await sandbox.run("favorites", "add", "2019-04-29").succeeds()
        let commands = [
            ["search", "explanation"], ["favorites"], ["favorites", "--json"], ["favorites", "--paths"],
            ["search", "nothing"], ["search", "explanation", "--paths"], ["search", "explanation", "--json"],
            ["show"], ["show", "2019-04-29", "--json"], ["show", "2019-03-01"], ["open"],
        ]
        for words in commands {
            let mine = try await sandbox.run(words)
            let theirs = try await sandbox.someone(words)
            // Which days lead to a day is in the catalog alone.
            let output = theirs.output.replacing(#""linked_from": null"#, with: #""linked_from": []"#)
            #expect(output == mine.output && theirs.errors == mine.errors, "\(words): \(theirs.errors)")
            #expect(theirs.status == mine.status)
        }
    }

    @Test(
        "Somebody who may only read the tree sees with `status` what the service has published, without `contact`, and may not ask it for more"
    )
    func status() async throws {
        let mirror = try await ServiceSandbox(days: 2)
        let sandbox = mirror.sandbox
        try await mirror.start(by: "export APOD_MIRROR_CONTACT=anna@example.org; exec \"$@\"")
        try await sandbox.run("favorites", "add", "2019-04-29").succeeds()
        let published = mirror[".apod-mirror/status.json"]
        try await mirror.eventually {
            (try? fileText(published))?.contains("\"favorites\": 1") == true
        }
        #expect(Facts(published)?.permissions == 0o644)
        #expect(try !fileText(published).contains("anna@example.org"))
        let json = try await sandbox.someone("status", "--json")
        let mine = try await sandbox.run("status", "--json")
        for key in ["root", "pictures", "days", "oldest", "newest", "favorites", "watching"] {
            #expect(try json.json()[key]?.text == mine.json()[key]?.text, "\(key)")
        }
        let text = try await sandbox.someone("status")
        text.succeeds(errors: "")
        for line in ["days          2, from", "favorites     1", "service       running", "as of"] {
            text.says(output: .containing(line))
        }
        let sync = try await sandbox.someone("sync")
        sync.fails(errors: .containing("only "))
        // What only a service that runs can have ends with it.
        let settings = try sandbox.settings
        try sandbox.set(settings + "\nkeep = yesterday\n")
        mirror.program?.send(SIGHUP)
        try await mirror.eventually {
            (try? fileText(published))?.contains("\"code\": \"settings\"") == true
        }
        #expect(try await sandbox.someone("status", "--json").json().conditions("settings").count == 1)
        // What changes just before it ends is published still.
        let old = CommandSandbox.newest.advanced(by: -500)
        sandbox.nasa.add(Entry(old))
        try sandbox.set(settings)
        #expect(try await sandbox.run("sync", "\(old)").output.contains("1 fetched"))
        try await mirror.stop().succeeds()
        #expect(try await sandbox.someone("status").output.contains("service       stopped"))
        let left = try await sandbox.someone("status", "--json").json()
        #expect(left["service"]?.text == "null" && left["watching"]?.text == "null" && left["published"] != nil)
        #expect(left["days"]?.text == "3")
        #expect(left.conditions("settings").isEmpty)
    }

    @Test("Somebody who may only read the tree can be everybody, where the disk is for reading only")
    func readOnly() async throws {
        let mirror = try await ServiceSandbox(days: 2)
        let sandbox = mirror.sandbox
        try await sandbox.run("favorites", "add", "2019-04-29").succeeds()
        let command = """
            exec unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"' \
            '\(mirror.root)' "$@"
            """
        for words in [["search", "explanation"], ["verify"]] {
            let looked = try await sandbox.shell(command, words)
            #expect(looked.status == 0 && looked.errors == "" && looked.output != "", "\(looked)")
        }
        let catalog = mirror[".apod-mirror/catalog.sqlite"]
        for suffix in ["", "-shm", "-wal"] {
            if suffix == "-wal" {
                // Nothing is to be lost with it.
                let open = "import sqlite3; sqlite3.connect('\(catalog)')"
                let checkpoint = "\(open).execute('PRAGMA wal_checkpoint(TRUNCATE)')"
                try await sandbox.shell("python3 -c \"\(checkpoint)\" && test ! -s '\(catalog)-wal'").succeeds()
            }
            if suffix != "" { unlink("\(catalog)\(suffix)") }
            try await sandbox.shell(command, "status").succeeds(errors: "")
            let favorites = try await sandbox.shell(command, "favorites")
            #expect(favorites.output.hasPrefix("2019-04-29"), "\(suffix) \(favorites.output) \(favorites.errors)")
        }
        let root = mirror.root
        // Nobody else could do more: neither another person nor the service.
        let changes = [
            ["sync"], ["verify", "--repair"], ["prune"], ["favorites", "restore"],
            ["favorites", "add", "2019-04-30"], ["favorites", "remove", "2019-04-29"],
        ]
        for words in changes {
            for someone in ["", CommandSandbox.nobody] {
                let theirs = command.replacing("&& exec ", with: "&& exec \(someone) ")
                let change = try await sandbox.shell(theirs, words)
                #expect(change.status == 1 && change.output == "", "\(words): \(change.output)")
                let reason = ": Read-only file system; make it writable; "
                change.says(errors: .starting("apod-mirror: cannot write in \(root)"), .containing(reason))
                #expect(change.complaints.count == 1, "\(words): \(change.errors)")
            }
        }
        // In somebody else's mirror, root is no better.
        try await sandbox.shell("chown -R 65534 '\(root)'").succeeds()
        try await sandbox.shell(command, "favorites", "add", "2019-04-30").fails(
            errors: .containing("Read-only file system"))
    }
}
