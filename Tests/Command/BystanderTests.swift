import Apod
import Archive
import Glibc
import TestSupport
import Testing

@Suite("Somebody who may only read the tree", .enabled(if: geteuid() == 0))
struct BystanderTests {
    /// Locks all of the mirror's own that it can open, in every way that there is, and the folder itself. The catalog
    /// is SQLite's.
    private let greed = #"""
        use Fcntl ':flock', ':DEFAULT';
        my @held;
        for my $path (@ARGV) {
            open(my $file, '<', $path) or next;
            push @held, $file;
            flock($file, LOCK_EX | LOCK_NB);
            my $all = pack('s s x4 q q i x4', F_RDLCK, 0, 0, 0, 0);
            fcntl($file, F_SETLK, $all);
        }
        $| = 1;
        print "holding\n";
        sleep 100;
        """#

    private func hold(_ attendance: Attendance) async throws -> Program {
        let own = "\(attendance.root)/.apod-mirror"
        let files = listing(own).filter { !$0.hasPrefix("catalog") && !$0.hasSuffix("/") }.map { "\(own)/\($0)" }
        let program = try Program(
            "/usr/bin/setpriv", ["--reuid", "65534", "--clear-groups", "perl", "-e", greed, own] + files)
        let outcome = try await program.outcome { $0.output.contains("holding") }
        #expect(outcome.end == nil, "\(outcome.errors)")
        return program
    }

    @Test("keeps nobody from running, from changing favorites and from telling whether it runs")
    func locks() async throws {
        let attendance = try await Attendance()
        chmod(attendance.household.folder.path, 0o755)
        // So that all its files are there.
        #expect(try await attendance.household.run("favorites", "add", try attendance.picture(0)).status == 0)
        let bystander = try await hold(attendance)
        let name = try #require(try attendance.picture(0).split(separator: "/").last)
        #expect(try await attendance.household.run("favorites", "remove", "\(Household.newest)").status == 0)
        #expect(try await attendance.household.sync().status == 0)
        try await attendance.start()
        try attendance.link("\(name)", to: "../\(try attendance.picture(0))")
        try await attendance.listSays("2019-04-30: \(name)")
        #expect(try await attendance.household.run("status", "--json").json()["watching"]?.string == "inotify")
        bystander.kill()
    }

    @Test("is told how it is watched")
    func status() async throws {
        let attendance = try await Attendance()
        chmod(attendance.household.folder.path, 0o755)
        try await attendance.start()
        let status = try await attendance.household.shell("exec setpriv --reuid 65534 --clear-groups \"$@\"", "status")
        #expect(status.output.contains("inotify") && status.errors == "")
    }
}
