import Apod
import Glibc
import TestSupport
import Testing

@testable import Fetching

struct NetworkTests {
    @Test(
        "A network is known by an address of either version",
        arguments: [
            (
                .open,
                """
                8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
                169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
                223.255.255.255 2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1
                """
            ),
            (
                .loopback,
                """
                127.0.0.1 127.255.255.255 0.0.0.0 ::1 :: ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::
                """
            ),
            (
                .privateUse,
                """
                10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0
                100.127.255.255 fc00::1 fdff:ffff::1 ::ffff:10.1.2.3 2002:c0a8:101::
                """
            ),
            (
                .linkLocal,
                "169.254.0.0 169.254.169.254 169.254.255.255 fe80::1 febf::1 fec0::1 ::ffff:a9fe:a9fe"
            ),
            (
                .reserved,
                """
                192.0.0.1 198.18.0.0 198.19.255.255 224.0.0.0 239.255.255.255 240.0.0.1 255.255.255.255 ff02::1 ffff::
                ::ffff:224.0.0.1
                """
            ),
        ] as [(Reach, String)])
    func network(network: Reach, hosts: String) throws {
        for host in hosts.split(whereSeparator: \.isWhitespace).map(String.init) {
            var hints = addrinfo()
            hints.ai_flags = AI_NUMERICHOST
            var found: UnsafeMutablePointer<addrinfo>?
            #expect(getaddrinfo(host, nil, &hints, &found) == 0, "\(host)")
            defer { freeaddrinfo(found) }
            let address = try #require(found?.pointee.ai_addr)
            #expect(Reach(address) == network, "\(host)")
            address.pointee.sa_family = sa_family_t(AF_UNIX)
            #expect(Reach(address) == .reserved)
        }
    }

    @Test("A network is allowed for as long as the upstream is in it, and no longer")
    func policy() {
        let (upstream, other) = (address("http://nas.example:8080"), address("http://nas.example.evil:8080"))
        let places = AddressPolicy(upstream: upstream)
        func allowed() -> [Reach] {
            [.open, .loopback, .privateUse, .linkLocal, .reserved].filter { places.permits($0, for: other) }
        }
        #expect(allowed() == [.open])
        #expect(places.permits(.privateUse, for: upstream))
        #expect(allowed() == [.open, .privateUse])
        #expect(places.permits(.open, for: upstream))
        #expect(allowed() == [.open])
    }

    /// Nothing leaves the machine: what is not refused before it is connected to would be a failure.
    @Test(
        "A private address is never asked when a redirect or a record names it",
        arguments: """
            10.0.0.1 169.254.169.254/latest/meta-data/ [::ffff:10.0.0.1]:80 [fe80::1] 2852039166 0xa9.0xfe.43518 10.1
            """.split(separator: " ").map { "http://\($0)" })
    func elsewhere(location: String) async throws {
        let fixture = try FetchFixture { _ in .redirect(to: location) }
        let reason = await fixture.failure()
        #expect(reason?.code == .forbidden && reason?.isPermanent == true)
        #expect(try fixture.requests.count == 1 && fixture.names == [])
        let named = await (try FetchFixture(upstream: "https://upstream.example")).refusal(location)
        #expect(named == .forbiddenHost(String(address(location).host)))
    }

    @Test(
        "This machine is not even connected to for an upstream elsewhere",
        arguments: ["127.0.0.1", "LOCALHOST", "2130706433", "0177.0.0.1", "0", "[::1]", "[::]", "[::ffff:7f00:1]"])
    func loopback(host: String) async throws {
        let server = try HTTPServer { _ in .jpeg() }
        let fixture = try FetchFixture(upstream: "https://upstream.example")
        let text = "http://\(host):\(server.port)/"
        #expect(await fixture.failure(text)?.code == .forbidden)
        #expect(await fixture.refusal(text)?.code == .forbidden)
        #expect(server.requests.isEmpty)
    }
}
