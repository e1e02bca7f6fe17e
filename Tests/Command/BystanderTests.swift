import Apod
import Archive
import Files
import Glibc
import TestSupport
import Testing

@Suite("Somebody who may only read the tree", .enabled(if: geteuid() == 0))
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

    private func hold(_ attendance: Attendance) async throws -> Program {
        chmod(attendance.household.folder.path, 0o755)
        let program = try Program(
            "/usr/bin/setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", "perl", "-e", greed, attendance.root])
        let outcome = try await program.outcome { $0.output.contains("holding") }
        #expect(outcome.end == nil, "\(outcome.errors)")
        let opened = outcome.output.split(separator: "\n").compactMap { $0.split(separator: "/").last }
        #expect(opened.contains("catalog.sqlite") && opened.contains("catalog.sqlite-wal"))
        #expect(opened.contains("running") && opened.contains("favorites.json") && opened.contains("favorites"))
        #expect(Set(opened).isDisjoint(with: ["catalog.sqlite-shm", "lock", "favorites.json.lock"]))
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

    private func someone(_ household: Household, _ words: [String]) async throws -> Program.Outcome {
        try await household.shell("exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"", words)
    }

    @Test("is not told to sync, which they may not, but who does it", arguments: [false, true])
    func unasked(isServed: Bool) async throws {
        let home = try Household()
        chmod(home.folder.path, 0o755)
        #expect(try await home.sync().status == 0)
        let service = isServed ? try home.start("run", limit: .seconds(30)) : nil
        try await service?.outcome { $0.output.contains("watching ") }
        let advice =
            isServed
            ? "the service fetches the newest"
            : "the service fetches the newest when it runs: whoever keeps the mirror can start it"
        for (words, what) in [
            (["favorites", "add", "latest"], "there is no picture in \(home.root) yet"),
            (["search", "x"], "there is nothing in \(home.root) yet"), (["show"], "there is no day here yet"),
        ] {
            let outcome = try await someone(home, words)
            #expect(outcome.errors == "apod-mirror: \(what); \(advice)\n", "\(outcome)")
        }
        symlink("2019-04-30", "\(home.root)/favorites/x")
        let listed = try await someone(home, ["favorites"])
        #expect(!listed.errors.contains("sync"), "\(listed)")
        #expect(listed.errors.contains("the service enters them when it runs") == !isServed, "\(listed)")
        service?.send(SIGTERM)
        _ = try await service?.finished()
    }

    @Test(
        "finds words in a mirror whose catalog is elsewhere, though the mirror's own folder is closed to them",
        arguments: [false, true])
    func closedFolder(isMoved: Bool) async throws {
        let household = try Household(days: 2)
        chmod(household.folder.path, 0o755)
        let state = ["--state", household.folder.appending("state")]
        #expect(try await household.sync(state).status == 0)
        let root = isMoved ? household.folder.appending("moved") : household.root
        rename(household.root, root)
        chmod("\(root)/.apod-mirror", 0o700)
        let words = ["search", "explanation", "--root", root] + state
        let own = try await household.shell("exec \"$@\"", words)
        let found = try await someone(household, words)
        #expect(found.status == 0 && found.output == own.output && !found.output.isEmpty, "\(found)")
    }

    @Test("keeps nobody from running, from fetching and from changing favorites, without a service and with one")
    func locks() async throws {
        let attendance = try await Attendance()
        let household = attendance.household
        // So that all its files are there.
        #expect(try await household.run("favorites", "add", try attendance.picture(0)).status == 0)
        let bystander = try await hold(attendance)
        let old = Household.newest.advanced(by: -500)
        for day in [old, old.advanced(by: -1)] { household.nasa.add(TestSupport.Entry(day)) }
        #expect(try await inTime { try await household.run("sync", "\(old)") }.output.contains("1 fetched"))
        #expect(try await inTime { try await household.run("favorites", "remove", "\(Household.newest)") }.status == 0)
        try await inTime { try await attendance.start() }
        let name = try #require(try attendance.picture(0).split(separator: "/").last)
        try await inTime {
            try attendance.link("\(name)", to: "../\(try attendance.picture(0))")
            try await attendance.listSays("2019-04-30: \(name)")
        }
        let late = try await hold(attendance)
        let sync = try await inTime { try await household.run("sync", "\(old.advanced(by: -1))") }
        #expect(sync.output.contains("1 fetched"))
        #expect(try await inTime { try await household.run("favorites", "add", "2019-04-29") }.status == 0)
        let status = try await inTime { try await household.run("status", "--json") }
        #expect(try status.json()["watching"]?.string == "inotify")
        #expect(try await inTime { try await attendance.stop() }.status == 0)
        #expect(try await inTime { try await household.run("verify") }.status == 0)
        bystander.kill()
        late.kill()
    }

    @Test("cannot stop a mirror of an earlier version once it is opened, though everybody could lock its memory before")
    func upgrade() async throws {
        let attendance = try await Attendance()
        let household = attendance.household
        chmod(household.folder.path, 0o755)
        let memory = "\(attendance.root)/.apod-mirror/catalog.sqlite-shm"
        chmod(memory, 0o644)
        let bystander = try Program(
            "/usr/bin/setpriv",
            ["--reuid", "65534", "--regid", "65534", "--clear-groups", "perl", "-e", greed, memory])
        #expect(try await bystander.outcome { $0.output.contains("holding") }.output.contains("opened \(memory)"))
        let added = try await inTime { try await household.run("favorites", "add", "2019-04-29") }
        #expect(added.status == 0, "\(added.errors)")
        #expect(try await inTime { try await household.sync() }.status == 0)
        #expect(Facts(memory)?.permissions == 0o600)
        #expect(try attendance.count() == 1)
        bystander.kill()
    }

    /// As in a container, and as from a service that may not look at other people's programs.
    private static let blind = [
        "exec unshare --pid --fork --mount-proc \"$@\"",
        "exec unshare --mount sh -c 'mount -t tmpfs none /proc/$0 && exec \"$@\"' ID \"$@\"",
    ]

    @Test("is not told from an owner of whom the system does not tell, whose memory stays", arguments: blind)
    func hidden(by command: String) async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let memory = "\(attendance.root)/.apod-mirror/catalog.sqlite-shm"
        chmod(memory, 0o644)
        let before = Facts(memory)?.inode
        // As SQLite does for as long as it uses it.
        let using = greed.replacing("F_RDLCK, 0, 0, 0, 0", with: "F_RDLCK, 0, 128, 1, 0")
        let owner = try Program("/usr/bin/perl", ["-e", using, memory])
        #expect(try await owner.outcome { $0.output.contains("holding") }.output.contains("opened \(memory)"))
        #expect(try await household.shell(command.replacing("ID", with: "\(owner.id)"), "prune").status == 0)
        #expect(Facts(memory)?.inode == before && Facts(memory)?.permissions == 0o1600)
        owner.kill()
    }

    /// But for the room on the disk, which others use too, and for who can start the service.
    private func told(_ outcome: Program.Outcome) -> [Substring] {
        outcome.output.split(separator: "\n").filter { !$0.contains("free") && !$0.hasPrefix("service ") }
    }

    @Test("is told all that others are told", arguments: [true, false])
    func reads(beside runs: Bool) async throws {
        let attendance = try await Attendance()
        let household = attendance.household
        chmod(household.folder.path, 0o755)
        if runs { try await attendance.rested() }
        #expect(try await household.run("favorites", "add", "2019-04-29").status == 0)
        let commands = [
            ["status"], ["status", "--json"], ["search", "explanation"], ["favorites"], ["favorites", "--json"],
            ["favorites", "--paths"], ["favorites", "history"], ["favorites", "history", "--json"],
            ["search", "nothing"], ["search", "explanation", "--paths"], ["search", "explanation", "--json"],
        ]
        for words in commands {
            let mine = try await household.shell("exec \"$@\"", words)
            let theirs = try await someone(household, words)
            #expect(told(theirs) == told(mine) && theirs.errors == mine.errors, "\(words): \(theirs.errors)")
            #expect(theirs.status == mine.status)
        }
        if runs { #expect(try await someone(household, ["status"]).output.contains("watching      inotify")) }
    }

    /// A folder for temporary files, in which they may write or not.
    private func place(_ household: Household, _ mode: mode_t) -> (path: String, command: String) {
        chmod(household.folder.path, 0o755)
        let place = household.folder.appending("place")
        mkdir(place, 0o755)
        chmod(place, mode)
        return (place, "export TMPDIR='\(place)'; exec setpriv --reuid 65534 --regid 65534 --clear-groups \"$@\"")
    }

    @Test("leaves nothing of it behind, and is told so where there is no room for it")
    func room() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        let (path, command) = place(household, 0o777)
        let leftover = "\(path)/.apod-mirror-copy.killed"
        mkdir(leftover, 0o700)
        chown(leftover, 65534, 65534)
        try File.reading(leftover).setModified(Int(time(nil)) - 3700)
        #expect(try await household.shell(command, "status").status == 0)
        #expect(listing(path) == [])
        _ = place(household, 0o755)
        let refused = try await household.shell(command, "status")
        #expect(refused.status == 1 && refused.errors.contains("cannot make a folder in \(path)"), "\(refused)")
    }

    @Test("is told by the service, but for what is very long, and may not change anything through it")
    func service() async throws {
        let attendance = try await Attendance(days: 2)
        let household = attendance.household
        for number in 0..<2_500 {
            try attendance.link("\(number) " + String(repeating: "long ", count: 45), to: "2019-04-29")
        }
        #expect(try await household.run("favorites", "add", "2019-04-30").status == 0)
        try await attendance.rested()
        try await attendance.eventually { try attendance.count() == 2_501 }
        let command = place(household, 0o755).command
        for words in [["status"], ["status", "--json"], ["search", "explanation"], ["favorites"]] {
            let mine = try await household.shell("exec \"$@\"", words)
            let theirs = try await household.shell(command, words)
            #expect(told(theirs) == told(mine) && theirs.errors == mine.errors, "\(words): \(theirs.errors)")
        }
        let seen = "exec script -qec \"$* search explanation --config '\(household.configuration)'\" /dev/null"
        let alone = try await household.shell("set -- \"$1\"; \(seen)")
        let there = try await household.shell("set -- \"$1\"; \(command.replacing("exec ", with: "set -- ")); \(seen)")
        #expect(alone.output == there.output && alone.output.contains("\u{1b}[1m"), "\(alone.output) \(there.output)")
        let long = ["favorites", "--json"]
        let short = try await household.shell(command, long)
        #expect(short.errors.contains("cannot make a folder"), "\(short.output.count) \(short.errors)")
        let (_, copying) = place(household, 0o777)
        #expect(try await household.shell(copying, long).output == household.shell("exec \"$@\"", long).output)
        for words in [["sync"], ["verify", "--repair"]] {
            let refused = try await household.shell(copying, words)
            #expect(refused.status == 1 && refused.output == "", "\(words): \(refused)")
        }
    }

    /// What the service answers somebody who may not read, but knows how to ask.
    private func answer(_ socket: String, proof: String) async throws -> String {
        let script = """
            use Socket; local $/; $SIG{PIPE} = "IGNORE";
            socket(my $s, PF_UNIX, SOCK_STREAM, 0); connect($s, sockaddr_un($ARGV[0])) or die "$!";
            syswrite($s, qq({"version":3,"do":"read","what":"favorites","as":"json","proof":"$ARGV[1]"}\\n));
            print readline($s);
            """
        let identity = ["--reuid", "65534", "--regid", "65534", "--clear-groups"]
        return try await Program.run("/usr/bin/setpriv", identity + ["perl", "-e", script, socket, proof]).output
    }

    @Test("is told nothing of a mirror that they may not look into, wherever its socket is")
    func secret() async throws {
        let attendance = try await Attendance(days: 1)
        let household = attendance.household
        chmod(household.folder.path, 0o755)
        let own = household.folder.appending("run")
        mkdir(own, 0o755)
        #expect(try await household.run("favorites", "add", "2019-04-30").status == 0)
        try await attendance.start(by: "export RUNTIME_DIRECTORY='\(own)'; exec \"$@\"", saying: "watching ")
        let proof = try #require(Archive.proof(root: attendance.root))
        let refused = "{\"refused\":true}\n"
        #expect(try await answer("\(own)/control", proof: proof).contains("2019-04-30"))
        for other in ["", "\(proof)0", String(proof.dropLast())] {
            #expect(try await answer("\(own)/control", proof: other) == refused)
        }
        chmod("\(attendance.root)/.apod-mirror/catalog.sqlite", 0o640)
        #expect(try await answer("\(own)/control", proof: proof) == refused)
        chmod("\(attendance.root)/.apod-mirror/catalog.sqlite", 0o644)
        chmod(attendance.root, 0o750)
        let status = try await someone(household, ["favorites"])
        #expect(status.status == 1 && !status.output.contains("2019-04-30"), "\(status)")
        chmod(attendance.root, 0o755)
        #expect(try await someone(household, ["favorites"]).output.contains("2019-04-30"))
    }

    @Test("keeps nobody waiting who opens a file of theirs in favorites that they hold a lease on")
    func lease() async throws {
        let attendance = try await Attendance(days: 2)
        let household = attendance.household
        chmod(household.folder.path, 0o755)
        chmod(attendance.folder, 0o777)
        let script = """
            use Fcntl; $SIG{IO} = "IGNORE"; $| = 1; umask 022;
            for my $name (@ARGV) {
                system("cp", $name, "copy.jpg") == 0 or die; open(my $file, "+<", "copy.jpg") or die $!; push @all, $file;
                fcntl($file, 1024, F_WRLCK) or die "lease $!";
            }
            print "held\\n"; sleep 100;
            """
        let member = try Program(
            "/bin/sh",
            [
                "-c", "cd \"$0\" && exec setpriv --reuid 65534 --regid 65534 --clear-groups perl -e \"$@\"",
                attendance.folder, script, "\(attendance.root)/\(try attendance.picture(0))",
            ])
        #expect(try await member.outcome { $0.output == "held\n" }.end == nil, "\(member.outcome.errors)")
        try await inTime { try await attendance.start() }
        try await inTime {
            try attendance.link("mine", to: "../\(try attendance.picture(1))")
            try await attendance.listSays("2019-04-29: mine")
        }
        #expect(try await inTime { try await household.run("favorites", "remove", "2019-04-29") }.status == 0)
        #expect(try await inTime { try await attendance.stop() }.status == 0)
        member.kill()
    }

    @Test("can be everybody, where the disk is for reading only")
    func readOnly() async throws {
        let attendance = try await Attendance(days: 2)
        let household = attendance.household
        #expect(try await household.run("favorites", "add", "2019-04-29").status == 0)
        let command = """
            exec unshare -m sh -c 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"' \
            '\(attendance.root)' "$@"
            """
        let catalog = "\(attendance.root)/.apod-mirror/catalog.sqlite"
        for suffix in ["", "-shm", "-wal"] {
            if suffix == "-wal" {
                // Nothing is to be lost with it.
                let open = "import sqlite3; sqlite3.connect('\(catalog)')"
                let checkpoint = "\(open).execute('PRAGMA wal_checkpoint(TRUNCATE)')"
                let emptied = try await household.shell("python3 -c \"\(checkpoint)\" && test ! -s '\(catalog)-wal'")
                #expect(emptied.status == 0, "\(emptied)")
            }
            if suffix != "" { unlink("\(catalog)\(suffix)") }
            let status = try await household.shell(command, "status")
            #expect(status.status == 0 && status.errors == "", "\(status)")
            let favorites = try await household.shell(command, "favorites")
            #expect(favorites.output.hasPrefix("2019-04-29"), "\(suffix) \(favorites.output) \(favorites.errors)")
        }
        let root = attendance.root
        chmod(household.folder.path, 0o755)
        // Nobody else could do more: neither another person nor the service.
        let changes = [
            ["sync"], ["verify", "--repair"], ["prune"], ["favorites", "restore"],
            ["favorites", "add", "2019-04-30"], ["favorites", "remove", "2019-04-29"],
        ]
        for words in changes {
            for someone in ["", "setpriv --reuid 65534 --regid 65534 --clear-groups "] {
                let theirs = command.replacing("&& exec ", with: "&& exec \(someone)")
                let change = try await household.shell(theirs, words)
                #expect(change.status == 1 && change.output == "", "\(words): \(change.output)")
                let reason = " is on a disk that is read-only; `sudo mount -o remount,rw "
                #expect(change.errors.hasPrefix("apod-mirror: \(root)") && change.errors.contains(reason), "\(change)")
                #expect(change.errors.split(separator: "\n").count == 1, "\(words): \(change.errors)")
            }
        }
        // In somebody else's mirror, root is no better.
        #expect(try await household.shell("chown -R 65534 '\(root)'").status == 0)
        let guest = try await household.shell(command, "favorites", "add", "2019-04-30")
        #expect(guest.status == 1 && guest.errors.contains("is read-only"), "\(guest.errors)")
    }
}
