import Apod
import Glibc
import Testing

@testable import Fetching

@Suite("A network")
struct NetworkTests {
    @Test(
        "is known by a number in any spelling",
        arguments: [
            (
                .open,
                """
                8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
                169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
                223.255.255.255 134744072 0x08080808 010.8.8.8
                """
            ),
            (.loopback, "127.0.0.1 127.255.255.255 0.0.0.0 0 127.1 2130706433 0x7f.1 0177.0.0.01"),
            (
                .privateUse,
                """
                10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0
                100.127.255.255 012.0.0.1
                """
            ),
            (.linkLocal, "169.254.0.0 169.254.169.254 2852039166 0xa9fea9fe 0251.0376.0251.0376 0xa9.0xfe.43518"),
            (.reserved, "192.0.0.1 198.18.0.0 198.19.255.255 224.0.0.0 239.255.255.255 240.0.0.1 255.255.255.255"),
        ] as [(Network, String)])
    func v4(network: Network, hosts: String) {
        for host in hosts.split(whereSeparator: \.isWhitespace).map(String.init) {
            #expect(Network(literal: host) == network, "\(host)")
        }
    }

    @Test(
        "is known by a number of the sixth version",
        arguments: [
            (.open, "2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"),
            (.loopback, "::1 :: 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::"),
            (.privateUse, "fc00::1 fdff:ffff::1 ::ffff:10.1.2.3 2002:c0a8:101::"),
            (.linkLocal, "fe80::1 febf::1 fec0::1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe"),
            (.reserved, "ff02::1 ffff:: ::ffff:224.0.0.1"),
        ] as [(Network, String)])
    func v6(network: Network, hosts: String) {
        for host in hosts.split(separator: " ") {
            for text in ["\(host)", "[\(host)]", "[\(host.uppercased())]"] {
                #expect(Network(literal: text) == network, "\(text)")
            }
        }
    }

    @Test(
        "is not known by a name",
        arguments: ["example.org", "localhost", "", "[]", "1.2.3.4.5", "256.1.1.1", "0x", "[1::2::3]"])
    func names(host: String) {
        #expect(Network(literal: host) == nil)
    }

    @Test("is known by a socket's address")
    func sockets() {
        var v4 = sockaddr_in()
        v4.sin_family = sa_family_t(AF_INET)
        v4.sin_addr.s_addr = UInt32(0xa9fe_a9fe).bigEndian
        func network(_ address: UnsafeRawBufferPointer) -> Network {
            Network(address.baseAddress!.assumingMemoryBound(to: sockaddr.self))
        }
        #expect(withUnsafeBytes(of: &v4, network) == .linkLocal)
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "2606:4700::1111", &v6.sin6_addr)
        #expect(withUnsafeBytes(of: &v6, network) == .open)
        v6.sin6_family = sa_family_t(AF_UNIX)
        #expect(withUnsafeBytes(of: &v6, network) == .reserved)
    }
}

@Suite("A guard")
struct GuardTests {
    private let places = AddressPolicy(upstream: address("https://upstream.example"))

    @Test(
        "permits the open web and nothing else",
        arguments: [Network.open, .loopback, .privateUse, .linkLocal, .reserved])
    func others(network: Network) {
        #expect(places.permits(network, for: address("https://elsewhere.example/")) == (network == .open))
        #expect(places.permits(network, for: address("https://upstream.example.evil/")) == (network == .open))
    }

    @Test(
        "judges by name what a proxy is to connect to",
        arguments: [
            (true, "example.org 8.8.8.8 localhost.example"),
            (false, "localhost a.localhost 10.1 [::1] 169.254.169.254 127.0.0.1. localhost. a.localhost. 2852039166"),
        ])
    func byProxy(isPermitted: Bool, hosts: String) {
        for host in hosts.split(separator: " ") {
            #expect(places.permitsByProxy(address("http://\(host)/")) == isPermitted, "\(host)")
        }
    }
}
