import Apod
import TestSupport
import Testing

@testable import Fetching

struct RedirectTests {
    private static let picture = Pictures.jpeg(bytes: 3_000_000)

    /// Leads from / to where it is told; everything else is there.
    private static func server(to location: String, status: Int = 302) throws -> HTTPServer {
        try HTTPServer { request in
            request.target == "/"
                ? .redirect(to: location, status: status) : .jpeg(picture, tag: "a")
        }
    }

    @Test("A redirect is followed", arguments: [301, 302, 303, 307, 308])
    func followed(status: Int) async throws {
        let server = try Self.server(to: "/there", status: status)
        let fixture = try FetchFixture(server)
        let fetched = try await fixture.file("/")
        #expect(fetched.facts.bytes == 3_000_000)
        #expect(fetched.address == address("\(server.origin)/"))
        #expect(server.requests.map(\.method) == ["GET", "GET"])
        #expect(try await fixture.document("/").bytes == Self.picture.bytes)
    }

    @Test(
        "A redirect may be relative to where the one before led",
        arguments: [
            ("b.jpg", "/x/b.jpg"), ("?b=c", "/x/a?b=c"), ("./b c", "/x/b%20c"), ("../b", "/b"), ("//…/b#c", "/b"),
        ])
    func relative(location: String, target: String) async throws {
        let server = try HTTPServer { request in
            if request.target == "/a" { return .redirect(to: "/x/a") }
            guard request.target == "/x/a" else { return .text("") }
            return .redirect(to: location.hasPrefix("//") ? "//\(request.headers["host"]!)/b#c" : location)
        }
        _ = try await FetchFixture(server).document("/a")
        #expect(server.requests.map(\.target) == ["/a", "/x/a", target])
    }

    @Test("A redirect to a server that refuses is an attempt each time")
    func toBusy() async throws {
        let there = try HTTPServer { _ in Response(status: 503) }
        let server = try HTTPServer { .redirect(to: "\(there.origin)\($0.path)") }
        let fixture = try FetchFixture(server) { $0.cooldowns = HostCooldowns(shortest: .milliseconds(20)) }
        let reasons = await fixture.reasons(0..<6) { "/\($0)" }
        #expect(reasons.allSatisfy { if case .status(503, _) = $0 { true } else { false } })
        #expect(server.requests.count <= 3 * 6)
    }

    @Test("A redirect after a redirect is followed, up to five", arguments: [5, 6])
    func chain(length: Int) async throws {
        let server = try HTTPServer { request in
            let number = Int(request.path.dropFirst())!
            return number == 0 ? .text("there") : .redirect(to: "/\(number - 1)")
        }
        let fixture = try FetchFixture(server)
        let reason = await reason { try await fixture.document("/\(length)") }
        #expect(reason == (length == 5 ? nil : .redirectRefused("more than 5 in a row")))
        #expect(server.requests.count == 6)
    }

    @Test("A redirect in a circle ends", arguments: ["/", "", "?"])
    func loop(location: String) async throws {
        let server = try HTTPServer { _ in .redirect(to: location) }
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure("/")
        // Without a place to go to, it is an answer that brings nothing.
        #expect(
            reason == (location == "" ? .redirectRefused("from http to ") : .redirectRefused("more than 5 in a row")))
        #expect(server.requests.count == (location == "" ? 1 : 6))
    }

    @Test("A redirect without a location is no file and no document")
    func nowhere() async throws {
        let server = try HTTPServer { _ in Response(status: 302) }
        let fixture = try FetchFixture(server)
        #expect(await fixture.failure() == .status(302, retryAfter: nil))
        #expect(await reason { try await fixture.document() }?.isPermanent == true)
    }

    @Test(
        "A redirect is not followed out of the web, or with a user's name",
        arguments: [
            "FILE:/etc/passwd", "ftp://127.0.0.1/a", "data:image/png,x", "http:", "https:///x",
            "http://user:word@127.0.0.1/", "http://exa mple/", "http://%31/",
        ])
    func refused(location: String) async throws {
        let server = try Self.server(to: location)
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure("/")
        #expect(reason?.isRedirectRefused == true, "\(reason as Any)")
        #expect(reason?.isPermanent == true && reason?.isAbsence == true)
        #expect(server.requests.count == 1)
        #expect(try fixture.names == [])
    }

    @Test("A redirect carries the request for the rest with it")
    func resumption() async throws {
        let server = try HTTPServer { request in
            guard request.path == "/there" else { return .redirect(to: "/there") }
            return .jpeg(Self.picture, tag: "a", ending: request.attempt == 1 ? .close(after: 2_000_000) : .whole)
        }
        let fixture = try FetchFixture(server)
        #expect(try await fixture.file("/").contents() == Self.picture.bytes)
        #expect(server.requests.last?.headers["range"] == "bytes=2000000-")
    }
}
