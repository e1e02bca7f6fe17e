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

    private func stat(of program: Program) throws -> String {
        String(decoding: try File.reading("/proc/\(program.id)/stat").stream(), as: UTF8.self)
    }

    @Test("apod-mirror serve answers until it is stopped, by the names that it may have")
    func serve() async throws {
        let sandbox = try await CommandSandbox(days: 3).synced()
        let address = "127.0.0.1:\(try freePort())"
        let server = try sandbox.start("serve", "--listen", address, "web-names=apod.example.org, nas.lan")
        try await server.complained("http://\(address)/")
        let newest = try JSONText(Array(try await curl("http://\(address)/planetary/apod").utf8))
        #expect(newest["date"]?.string == "\(CommandSandbox.newest)")
        let picture = try #require(newest["hdurl"]?.string)
        #expect(picture.hasPrefix("http://\(address)/2019/04/"))
        let type = "%{http_code} %{content_type}"
        #expect(try await curl("-o", "/dev/null", "-w", type, picture) == "200 image/jpeg")
        for (host, status) in [("apod.example.org", "200"), ("NAS.lan:80", "200"), ("evil.example.org", "421")] {
            #expect(
                try await curl(
                    "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "http://\(address)/health")
                    == status)
        }
        // As a terminal does with Ctrl-Z and fg, and a laptop's lid to all.
        for _ in 1...3 {
            for (signal, isStopped) in [(SIGSTOP, true), (SIGCONT, false)] {
                server.send(signal)
                try block(for: "the signal") { try stat(of: server).contains(") T ") == isStopped }
            }
        }
        #expect(try await curl("http://\(address)/health").contains("\"ok\""))
        try await sandbox.run("serve", "--listen", address).fails(
            errors: """
                Cannot listen at \(address): apod-server (process \(server.id)) listens there. Name another port with \
                --listen.

                """)
        server.send(SIGTERM)
        try await server.finished().succeeds()
    }

    @Test(
        "apod-mirror serve says, for a name that it may not have, what to write into which file, and what to do then",
        arguments: [
            ([], [], "write `web-names = tv.lan` into FILE, then start `apod-mirror serve` again"),
            ([], ["web-names=nas.lan"], "add tv.lan to `web-names` in FILE, then start `apod-mirror serve` again"),
            (["--root"], [], "start `apod-mirror serve` again with `--web-names tv.lan`"),
            (["unit"], [], "write `web-names = tv.lan` into FILE, then `systemctl --user reload apod-mirror`"),
        ])
    func unknownName(how: [String], words: [String], advice: String) async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        let address = "127.0.0.1:\(try freePort())"
        // The file of another mirror does not count.
        if how == ["--root"] { try sandbox.set("root = /other") }
        let root = how == ["--root"] ? ["--root", sandbox.root] : []
        let unit = how == ["unit"] ? "SYSTEMD_EXEC_PID=$$ " : ""
        let words = ["serve", "--listen", address] + root + words
        let server = try Program(
            "/bin/sh", ["-c", "\(unit)exec \"$0\" \"$@\"", CommandSandbox.program] + sandbox.words(words),
            environment: sandbox.environment(with: words))
        try await server.complained("http://\(address)/")
        for fields in [["Host: tv.lan:8095"], ["Host: 127.0.0.1", "X-Forwarded-Host: tv.lan"]] {
            let page = try await curl(fields.flatMap { ["-H", $0] } + ["http://\(address)/"])
            let told = advice.replacing("FILE", with: sandbox.configuration)
            #expect(page == "“tv.lan” is not known here as a name of this machine. If it is one, \(told).\n")
        }
    }

    @Test("apod-mirror serve takes systemd's socket, leaves when nobody comes")
    func activation() async throws {
        let sandbox = try await CommandSandbox(days: 2).synced()
        let address = "127.0.0.1:\(try freePort())"
        let program = Places.built("apod-server")
        let socket = try Program(
            "/usr/bin/systemd-socket-activate", ["-l", address, program, sandbox.root, "--idle", "1"],
            environment: sandbox.environment)
        try await socket.complained("Listening on")
        #expect(try await curl("http://\(address)/health").contains("\"ok\""))
        // The activator ends with the server that it became.
        try await socket.finished().succeeds()
    }

    /// The status that a change of a favorite is answered with.
    private func change(_ address: String, _ action: String, _ day: String, _ words: String...) async throws -> String {
        try await Program.run(
            "/usr/bin/curl",
            [
                "-sS", "--max-time", "20", "--noproxy", "*", "-o", "/dev/null", "-w", "%{http_code}", "-X", "POST",
                "-H",
                "X-APOD-Favorite: \(action)", "http://\(address)/favorites/\(day)",
            ] + words
        ).output
    }

    @Test(
        "apod-mirror serve changes favorites where the settings allow it, for the gallery alone, and tells who listens")
    func hearts() async throws {
        let sandbox = try await CommandSandbox(days: 3, gallery: "yes").synced()
        let address = "127.0.0.1:\(try freePort())"
        let day = "\(CommandSandbox.newest)"
        let server = try sandbox.start("serve", "--listen", address)
        try await server.complained("http://\(address)/")
        func links() throws -> [String] { try Folder.open(sandbox["favorites"]).names() }

        #expect(try await change(address, "add", day) == "403", "without a service")
        let service = try sandbox.start("run", "web-favorites=yes")
        try await service.said("watching ")
        let events = try Program(
            "/usr/bin/curl", ["-sN", "--max-time", "40", "--noproxy", "*", "http://\(address)/events"], environment: [:]
        )
        try await events.said("\"hearts\":true")
        #expect(try await change(address, "add", day) == "200")
        #expect(try links().count == 1)
        // A gallery that is open loads its data again.
        _ = try await events.outcome { $0.lines.filter { $0.hasPrefix("data: ") }.count >= 2 }
        #expect(try await change(address, "remove", day) == "200")
        #expect(try links() == [])
        #expect(try await change(address, "undo", day) == "200")
        #expect(try links().count == 1)

        #expect(try await change(address, "prune", day) == "403")
        #expect(try await change(address, "restore", day) == "403")
        #expect(try await change(address, "", day) == "403")
        #expect(try await change(address, "remove", day, "-H", "Origin: http://evil.example") == "403")
        #expect(try await change(address, "remove", day, "-H", "Sec-Fetch-Site: cross-site") == "403")
        #expect(try await change(address, "remove", day, "-H", "Origin: http://\(address)") == "200")
        #expect(try await change(address, "add", "1999-01-01") == "404")
        let leave = try await curl("-D", "-", "-X", "OPTIONS", "http://\(address)/favorites/\(day)").lowercased()
        #expect(leave.contains("access-control-allow-headers:") && !leave.contains("x-apod-favorite"))
        #expect(!leave.contains("allow-headers: *"))

        events.send(SIGTERM)
        service.send(SIGTERM)
        try await service.finished().succeeds()
        #expect(try await change(address, "add", day) == "403", "after the service")
        let other = try sandbox.start("run")
        try await other.said("watching ")
        #expect(try await change(address, "add", day) == "403", "not allowed")
        #expect(try links() == [])
    }

    private static let hasNamespaces = Glibc.system("unshare -rn ip link >/dev/null 2>&1") == 0

    /// What is answered at public and private addresses of a machine of its own: 000 where the connection is closed.
    private func answers(_ options: [String]) async throws -> (statuses: String, said: String) {
        let sandbox = try await CommandSandbox(days: 1).synced()
        let script = """
            ip link set lo up
            for address in 10.9.9.9 203.0.113.1 203.0.113.2 fd00::1 2001:db8::1 2001:db8::2 2001:db8:1::1; do
                ip addr add $address dev lo
            done
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
            "/usr/bin/unshare", ["-rn", "/bin/bash", "-c", script, CommandSandbox.program] + words,
            environment: sandbox.environment)
        return (outcome.output, outcome.errors)
    }

    @Test(
        "apod-mirror serve lets in private networks and neighbours, and no others but those that it is told of",
        .enabled(if: hasNamespaces, "needs a network of its own (unshare -rn) and iproute2"),
        arguments: [
            ([], "200 200 200 000 000 200 200 000 "), (["203.0.113.1"], "200 200 200 200 000 200 200 000 "),
            (["203.0.113.0/24", "2001:db8::/32"], "200 200 200 200 200 200 200 200 "),
            (["0.0.0.0/0"], "200 200 200 200 200 200 200 000 "),
            (["0.0.0.0/0", "::/0"], "200 200 200 200 200 200 200 200 "),
        ])
    func networks(allowed: [String], statuses: String) async throws {
        let answers = try await answers(allowed.flatMap { ["--allow", $0] })
        #expect(answers.statuses == statuses)
        let refused = statuses.split(separator: " ").firstIndex(of: "000").map {
            ["", "", "", "203.0.113.1", "203.0.113.2", "", "", "2001:db8:1::1"][$0]
        }
        let words = refused.map {
            "Refused \($0), which is in no network of this machine. To let it in: --allow \($0)\n"
        }
        #expect(answers.said == words ?? "")
    }

    @Test("apod-mirror serve holds and does nothing when nobody asks any more")
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

    @Test("apod-mirror serve says at once where there is no mirror, unless systemd has a socket for it")
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

    @Test("apod-mirror serve says what is wrong with a network")
    func wrongNetwork() async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        try await sandbox.run("serve", "--allow", "10.0.0.0/8", "--allow", "home").fails(
            2, errors: "“home” is not a network like 203.0.113.0/24.\n")
    }

    @Test("apod-mirror serve says what is wrong with an address")
    func wrong() async throws {
        let sandbox = try await CommandSandbox(days: 1).synced()
        for address in ["8095", "127.0.0.1:", "127.0.0.1:99999", "nowhere.invalid:80"] {
            try await sandbox.run("serve", "--listen", address).fails(
                2, errors: "“\(address)” is not an address like 127.0.0.1:8095.\n")
        }
    }
}
