import Apod
import Files
import Glibc
import Store
import TestSupport
import Testing

@Suite(.root)
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

    @Test("Somebody who may only read the tree keeps nobody from fetching or changing favorites")
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
}
