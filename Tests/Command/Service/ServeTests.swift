import Apod
import Files
import Glibc
import TestSupport
import Testing

@Suite("apod-mirror serve")
struct ServeTests {
    private func curl(_ words: String...) async throws -> String {
        try await Program.run("/usr/bin/curl", ["-sS", "--max-time", "20", "--noproxy", "*"] + words).output
    }

    /// A port that nobody has. Another process may take it before it is used; then the server says so.
    private func freePort() throws -> Int {
        let server = try HTTPServer { _ in .text("") }
        defer { server.stop() }
        return server.port
    }

    @Test("answers until it is stopped, by the names that it may have")
    func serve() async throws {
        let household = try await Household(days: 3).synced()
        let address = "127.0.0.1:\(try freePort())"
        let server = try household.start("serve", "--listen", address, "--host", "apod.example.org")
        try await server.complained("http://\(address)/")
        let newest = try JSONText(Array(try await curl("http://\(address)/planetary/apod").utf8))
        #expect(newest["date"]?.string == "\(Household.newest)")
        let picture = try #require(newest["hdurl"]?.string)
        #expect(picture.hasPrefix("http://\(address)/2019/04/"))
        let type = "%{http_code} %{content_type}"
        #expect(try await curl("-o", "/dev/null", "-w", type, picture) == "200 image/jpeg")
        for (host, status) in [("apod.example.org", "200"), ("evil.example.org", "421")] {
            #expect(
                try await curl(
                    "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", "http://\(address)/health")
                    == status)
        }
        try await household.run("serve", "--listen", address).fails(
            errors: "Cannot listen at \(address): Address already in use.\n")
        server.send(SIGTERM)
        try await server.finished().succeeds()
    }

    @Test("takes systemd's socket, leaves when nobody comes")
    func activation() async throws {
        let household = try await Household(days: 2).synced()
        let address = "127.0.0.1:\(try freePort())"
        let program = Places.built("apod-server")
        let socket = try Program(
            "/usr/bin/systemd-socket-activate", ["-l", address, program, household.root, "--idle", "1"],
            environment: household.environment)
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

    @Test("changes favorites where the settings allow it, for the gallery alone, and tells who listens")
    func hearts() async throws {
        let household = try await Household(days: 3, gallery: "yes").synced()
        let address = "127.0.0.1:\(try freePort())"
        let day = "\(Household.newest)"
        let server = try household.start("serve", "--listen", address)
        try await server.complained("http://\(address)/")
        func links() throws -> [String] { try Folder.open(household["favorites"]).names() }

        #expect(try await change(address, "add", day) == "403", "without a service")
        let service = try household.start("run", "web-favorites=yes")
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
        let other = try household.start("run")
        try await other.said("watching ")
        #expect(try await change(address, "add", day) == "403", "not allowed")
        #expect(try links() == [])
    }

    @Test("says what is wrong with an address")
    func wrong() async throws {
        let household = try await Household(days: 1).synced()
        for address in ["8095", "127.0.0.1:", "127.0.0.1:99999", "nowhere.invalid:80"] {
            try await household.run("serve", "--listen", address).fails(
                2, errors: "“\(address)” is not an address like 127.0.0.1:8095.\n")
        }
    }
}
