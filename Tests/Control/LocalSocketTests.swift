import Control
import Files
import Glibc
import TestSupport
import Testing

@Suite("A socket between programs")
struct LocalSocketTests {
    @Test(
        "knows all groups of who is on the other side, however many", .enabled(if: geteuid() == 0),
        arguments: [0, 1, 32, 33, 200])
    func groups(count: Int) async throws {
        let home = try TemporaryFolder()
        chmod(home.path, 0o755)
        let socket = try LocalSocket.listening(as: "socket", in: Folder.open(home.path))
        let script = """
            use IO::Socket::UNIX; my $socket = IO::Socket::UNIX->new($ARGV[0]) or die $!;
            $| = 1; print "here\\n"; sleep 100;
            """
        let groups = (0..<count).map { UInt32(70_000 + $0) }
        let membership = count == 0 ? "--clear-groups" : "--groups=\(groups.map(String.init).joined(separator: ","))"
        let program = try Program(
            "/usr/bin/setpriv",
            ["--reuid=65534", "--regid=65533", membership, "perl", "-e", script, home.appending("socket")])
        #expect(try await program.outcome { $0.output == "here\n" }.end == nil, "\(program.outcome.errors)")
        let peer = try #require(try socket.accept()).peer
        #expect(peer.user == 65534)
        #expect(peer.groups == Set(groups + [65533]))
    }
}
