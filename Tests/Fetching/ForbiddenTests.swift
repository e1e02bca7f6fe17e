import Apod
import TestSupport
import Testing

@testable import Fetching

/// Nothing here leaves the machine: what is not refused before it is connected to would be a failure.
struct ForbiddenTests {
    private static let addresses = """
        10.0.0.1 169.254.169.254/latest/meta-data/ [::ffff:10.0.0.1]:80 [fe80::1] [64:ff9b::a00:1] [2002:a00:1::] \
        2852039166 0xa9.0xfe.43518 10.1 192.0.0.8 240.0.0.1
        """.split(separator: " ").map { "http://\($0)" }

    @Test("An address in a private network is not followed to from the upstream on this machine", arguments: addresses)
    func redirected(location: String) async throws {
        let server = try HTTPServer { _ in .redirect(to: location) }
        let fixture = try FetchFixture(server)
        let reason = await fixture.failure("/")
        #expect(reason?.isForbidden == true, "\(reason as Any)")
        #expect(reason?.isPermanent == true)
        #expect(server.requests.count == 1)
        #expect(try fixture.names == [])
    }

    @Test("An address in a private network is allowed for as long as the upstream is in it, and no longer")
    func upstreamMoves() {
        let (upstream, other) = (address("http://nas.example:8080"), address("http://other.example"))
        let places = AddressPolicy(upstream: upstream)
        #expect(!places.permits(.privateUse, for: other))
        #expect(places.permits(.privateUse, for: upstream) && places.permits(.privateUse, for: other))
        #expect(!places.permits(.loopback, for: other) && places.permits(.open, for: other))
        #expect(places.permits(.open, for: upstream))
        #expect(!places.permits(.privateUse, for: other))
    }

    @Test("An address in a private network is not asked when a record names it", arguments: addresses)
    func named(text: String) async throws {
        let fixture = try FetchFixture(upstream: "https://upstream.example")
        let reason = await reason { try await fixture.document(text) }
        #expect(reason == .forbiddenHost(String(address(text).host)))
        #expect("\(reason!)".hasSuffix(" is not on the public internet; nothing was fetched from it"))
    }

    @Test(
        "An address in a private network of this machine is not even connected to for an upstream elsewhere",
        arguments: [
            "127.0.0.1", "LOCALHOST", "127.1", "2130706433", "0177.0.0.1", "0", "[::1]", "[::]", "[::ffff:7f00:1]",
            "[::7f00:1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]",
        ])
    func loopback(host: String) async throws {
        let server = try HTTPServer { _ in .jpeg() }
        let fixture = try FetchFixture(upstream: "https://upstream.example")
        let text = "http://\(host):\(server.port)/"
        for reason in [
            await fixture.failure(text),
            await reason { try await fixture.document(text) },
        ] {
            #expect(reason?.isForbidden == true, "\(reason as Any)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "An address in a private network of the upstream's own network is followed, but only once the upstream has been found there"
    )
    func sameNetwork() async throws {
        let upstream = try HTTPServer { _ in .text("") }
        let pictures = try HTTPServer { _ in .jpeg() }
        let fixture = try FetchFixture(upstream)
        _ = try await fixture.document()
        #expect(try await fixture.file("\(pictures.origin)/").facts.type == .jpeg)
        #expect(await reason { try await fixture.document("http://10.0.0.1/") }?.isForbidden == true)
    }
}
