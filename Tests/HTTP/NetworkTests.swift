import Glibc
import Synchronization
import Testing

@testable import HTTP

struct NetworkTests {
    private func bytes(_ address: String) throws -> [UInt8] { try #require(Network(address)).bytes }

    @Test(
        "A network has the addresses that its first bits name",
        arguments: [
            ("203.0.113.77/24", "203.0.113.9", "203.0.114.9"), ("203.0.113.128/25", "203.0.113.128", "203.0.113.127"),
            ("203.0.113.9", "203.0.113.9", "203.0.113.8"), ("0.0.0.0/0", "203.0.113.9", "2001:db8::1"),
            ("2001:db8::/32", "2001:db8:1::1", "2001:db9::1"), ("2001:db8::/33", "2001:db8::1", "2001:db8:8000::1"),
            ("::/0", "2001:db8::1", "10.0.0.1"),
        ])
    func contains(network: String, inside: String, outside: String) throws {
        let network = try #require(Network(network))
        #expect(try network.contains(bytes(inside)) && !network.contains(bytes(outside)))
    }

    @Test("Any other text is no network")
    func refused() {
        for text in [
            "", "/", "/24", "203.0.113.0/", "203.0.113.0/33", "203.0.113.0/-1", "203.0.113.0/+24", "203.0.113.0/24/24",
            "203.0.113/24", "203.0.113.0 /24", "2001:db8::/129", "2001:db8::/32%eth0", "nas.local",
        ] { #expect(Network(text) == nil, "\(text)") }
    }

    @Test(
        "Networks at home are private ones, this machine, and what is on the same cable",
        arguments: [
            (
                true,
                "127.9.9.9 ::1 10.255.0.1 172.16.0.1 172.31.255.255 192.168.178.20 169.254.7.7 fd12:3456::1 fe80::1"
            ),
            (
                false,
                "172.15.255.255 172.32.0.1 192.167.0.1 11.0.0.1 128.0.0.1 100.64.0.1 0.0.0.0 :: ::2 2001:db8::1 64:ff9b::a00:1"
            ),
        ])
    func home(isHome: Bool, addresses: String) throws {
        for address in try addresses.split(separator: " ").map({ try bytes(String($0)) }) + (isHome ? [] : [[]]) {
            #expect(Network.home.contains { $0.contains(address) } == isHome, "\(address)")
        }
    }

    @Test(
        "A neighbour shares the IPv6 prefix of the address that it asks",
        arguments: [
            ("2001:db8:1:2::7", "2001:db8:1:2:a:b:c:d", true), ("2001:db8:1:3::7", "2001:db8:1:2::7", false),
            ("203.0.113.7", "203.0.113.7", false), ("203.0.113.7", "2001:db8::7", false),
        ])
    func neighbours(address: String, own: String, areNeighbours: Bool) throws {
        #expect(Network.areNeighbours(try bytes(address), try bytes(own)) == areNeighbours)
        #expect(!Network.areNeighbours([], []))
    }

    @Test(
        "An address has a hundred connections at most, and this machine as many as there are",
        arguments: [("10.0.0.9", 99, true), ("10.0.0.9", 100, false), ("127.0.0.1", 1000, true)])
    func connections(address: String, open: Int, isAccepted: Bool) throws {
        let traffic = Traffic(hosts: Hosts(others: []), networks: []) { _ in .refusal(404, "") }
        let key = try bytes(address)
        traffic.open.withLock { $0[key] = open }
        var socket = sockaddr_in()
        socket.sin_family = sa_family_t(AF_INET)
        inet_pton(AF_INET, address, &socket.sin_addr)
        let isLet = withUnsafePointer(to: &socket) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { traffic.accepts($0) }
        }
        #expect(isLet == isAccepted)
    }
}
