import Apod
import Files
import Glibc
import TestSupport
import Testing

struct ServeTests {
    private func curl(_ words: String...) async throws -> String { try await curl(words) }

    private func curl(_ words: [String]) async throws -> String {
        try await Program.run("/usr/bin/curl", ["-sS", "--max-time", "20", "--noproxy", "*"] + words).output
    }

    /// A port that nobody has. Another process may take it before it is used; then the server says so.
    private func freePort() throws -> Int {
        let server = try HTTPServer { _ in .text("") }
        defer { server.stop() }
        return server.port
    }

    /// Root needs no namespace of users, in which root may not enter others' closed folders.
    private static let unshare = ["/usr/bin/unshare", geteuid() == 0 ? "-n" : "-rn"]
    private static let hasNamespaces = Glibc.system("\(unshare.joined(separator: " ")) ip link >/dev/null 2>&1") == 0

    /// What is answered at public and private addresses of a machine of its own: 000 where the connection is closed.
    private func answers(_ options: [String]) async throws -> (statuses: String, said: String) {
        let sandbox = try await CommandSandbox(days: 1).synced()
        let script = """
            ip link set lo up
            for address in 10.9.9.9 203.0.113.1 203.0.113.2; do ip addr add $address dev lo; done
            # Else it takes a moment until one can be used (RFC 4862, 5.4).
            for address in fd00::1 2001:db8::1 2001:db8::2 2001:db8:1::1; do ip addr add $address dev lo nodad; done
            exec 3< <(exec "$0" "$@" 2>&1)
            server=$!
            read -r _ <&3
            for from in 127.0.0.1 ::1 10.9.9.9 203.0.113.1 203.0.113.2 fd00::1 2001:db8::2 2001:db8:1::1; do
                address=$from
                case $from in *:*) address=[$from] ;; esac
                case $from in 2001:*) address=[2001:db8::1] ;; esac
                curl -s -m 20 --interface $from -o /dev/null -w '%{http_code} ' --noproxy '*' "http://$address:8095/health"
            done
            kill $server
            cat <&3 >&2
            """
        let words = ["serve", "--config", sandbox.configuration, "--listen", "[::]:8095"] + options
        let outcome = try await Program.run(
            Self.unshare[0], Self.unshare.dropFirst() + ["/bin/bash", "-c", script, CommandSandbox.program] + words,
            environment: sandbox.environment)
        return (outcome.output, outcome.errors)
    }

    @Test(
        "The web server lets in private networks, neighbours and those that it is told of",
        .enabled(if: hasNamespaces, "needs a network of its own (unshare) and iproute2"),
        arguments: [
            ([], "200 200 200 000 000 200 200 000 "),
            (["203.0.113.0/24", "2001:db8::/32"], "200 200 200 200 200 200 200 200 "),
        ])
    func networks(allowed: [String], statuses: String) async throws {
        let answers = try await answers(allowed.flatMap { ["--allow", $0] })
        #expect(answers.statuses == statuses)
        let address = "203.0.113.1"
        let words = "Refused \(address), which is a public address. To let it in: --allow \(address)\n"
        #expect(answers.said == (allowed.isEmpty ? words : ""))
    }

    @Test("The web server holds and does nothing when nobody asks any more")
    func idle() async throws {
        let sandbox = try await CommandSandbox(days: 2, gallery: "yes").synced()
        let address = "127.0.0.1:\(try freePort())"
        let server = try sandbox.start("serve", "--listen", address)
        try await server.complained("http://\(address)/")
        func threads() throws -> Int { try Folder.open("/proc/\(server.id)/task").names().count }
        _ = try await curl("http://\(address)/health")
        let atFirst = try threads()
        for _ in 1...2 {
            let events = try Program(
                "/usr/bin/curl", ["-sN", "--noproxy", "*", "http://\(address)/events"], environment: [:])
            try await events.said("data: ")
            #expect(try threads() == atFirst + 1)
            _ = try await curl("http://\(address)/planetary/apod", "http://\(address)/latest.jpg")
            events.kill()
            // Who has gone is noticed when something is sent.
            let data = try Folder.open(sandbox["gallery/data"])
            for round in 0..<2000 where try threads() > atFirst {
                try #require(try data.file("favorites.js")).setModified(round)
                usleep(10_000)
            }
            #expect(try threads() == atFirst)
        }
        let open = try Folder.open("/proc/\(server.id)/fd")
        #expect(try open.names().compactMap(open.target).filter { $0.hasPrefix(sandbox.root) } == [])
    }

    @Test("The web server waits for a mirror where systemd has a socket for it")
    func missing() async throws {
        let sandbox = try CommandSandbox()
        try await sandbox.run("serve").fails(
            errors: """
                apod-mirror: there is no \(sandbox.root); `apod-mirror sync` makes it. If the mirror is elsewhere, \
                set `root` to where it is

                """)
        let address = "127.0.0.1:\(try freePort())"
        let socket = try Program(
            "/usr/bin/systemd-socket-activate",
            ["-l", address, CommandSandbox.program, "serve", "--config", sandbox.configuration],
            environment: sandbox.environment)
        try await socket.complained("Listening on")
        #expect(try await curl("http://\(address)/health").contains("\"away\""))
    }
}
