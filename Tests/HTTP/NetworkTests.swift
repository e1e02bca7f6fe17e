import Testing

@testable import HTTP

struct NetworkTests {
    @Test(
        "Networks have the addresses that their first bits name",
        arguments: [
            ("203.0.113.0/24", "203.0.113.9", true), ("203.0.113.0/24", "203.0.114.9", false),
            ("203.0.113.77/24", "203.0.113.9", true), ("203.0.113.128/25", "203.0.113.127", false),
            ("203.0.113.9", "203.0.113.9", true), ("203.0.113.9", "203.0.113.8", false),
            ("0.0.0.0/0", "203.0.113.9", true), ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:1::1", true), ("2001:db8::/32", "2001:db9::1", false),
            ("2001:db8::/33", "2001:db8:8000::1", false), ("::/0", "2001:db8::1", true), ("::/0", "10.0.0.1", false),
        ])
    func contains(network: String, address: String, has: Bool) throws {
        #expect(try #require(Network(network)).contains(try bytes(address)) == has)
    }

    @Test(
        "Any other text is no network",
        arguments: [
            "", "/", "/24", "203.0.113.0/", "203.0.113.0/33", "203.0.113.0/-1", "203.0.113.0/+24", "203.0.113.0/24/24",
            "203.0.113/24", "203.0.113.0 /24", "2001:db8::/129", "2001:db8::/32%eth0", "nas.local", "localhost/8", "*",
        ])
    func refused(text: String) { #expect(Network(text) == nil) }

    @Test(
        "Networks at home are private ones, this machine, and what is on the same cable",
        arguments: [
            ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("10.255.0.1", true), ("172.16.0.1", true),
            ("172.31.255.255", true), ("192.168.178.20", true), ("169.254.7.7", true), ("fd12:3456::1", true),
            ("fe80::1", true), ("172.15.255.255", false), ("172.32.0.1", false), ("192.167.0.1", false),
            ("11.0.0.1", false), ("128.0.0.1", false), ("100.64.0.1", false), ("8.8.8.8", false), ("0.0.0.0", false),
            ("::", false), ("::2", false), ("2001:db8::1", false), ("fec0::1", false), ("64:ff9b::a00:1", false),
        ])
    func home(address: String, isHome: Bool) throws {
        let bytes = try bytes(address)
        #expect(Network.home.contains { $0.contains(bytes) } == isHome)
        #expect(!Network.home.contains { $0.contains([]) })
    }

    @Test(
        "A neighbour shares the IPv6 prefix of the address that it asks",
        arguments: [
            ("2001:db8:1:2::7", "2001:db8:1:2:a:b:c:d", true), ("2001:db8:1:2::7", "2001:db8:1:2::7", true),
            ("2001:db8:1:3::7", "2001:db8:1:2::7", false), ("2001:db8::7", "fd00::7", false),
            ("203.0.113.7", "203.0.113.7", false), ("203.0.113.7", "2001:db8::7", false),
        ])
    func neighbours(address: String, own: String, areNeighbours: Bool) throws {
        #expect(Network.areNeighbours(try bytes(address), try bytes(own)) == areNeighbours)
        #expect(!Network.areNeighbours([], []))
    }

    private func bytes(_ address: String) throws -> [UInt8] { try #require(Network(address)).bytes }
}
