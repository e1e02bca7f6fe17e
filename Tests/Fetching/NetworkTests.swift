import Apod
import Glibc
import Testing

@testable import Fetching

@Suite("A network")
struct NetworkTests {
    @Test(
        "is known by a number in any spelling",
        arguments: [
            ("8.8.8.8", .open), ("1.0.0.1", .open), ("9.255.255.255", .open), ("11.0.0.0", .open),
            ("100.63.255.255", .open), ("100.128.0.0", .open), ("126.255.255.255", .open), ("128.0.0.0", .open),
            ("169.253.255.255", .open), ("169.255.0.0", .open), ("172.15.255.255", .open), ("172.32.0.0", .open),
            ("192.167.255.255", .open), ("192.169.0.0", .open), ("198.17.255.255", .open), ("198.20.0.0", .open),
            ("223.255.255.255", .open), ("134744072", .open), ("0x08080808", .open), ("010.8.8.8", .open),
            ("127.0.0.1", .loopback), ("127.255.255.255", .loopback), ("0.0.0.0", .loopback), ("0", .loopback),
            ("127.1", .loopback), ("2130706433", .loopback), ("0x7f.1", .loopback), ("0177.0.0.01", .loopback),
            ("10.0.0.0", .privateUse), ("10.255.255.255", .privateUse), ("172.16.0.0", .privateUse),
            ("172.31.255.255", .privateUse), ("192.168.0.0", .privateUse), ("192.168.255.255", .privateUse),
            ("100.64.0.0", .privateUse), ("100.127.255.255", .privateUse), ("012.0.0.1", .privateUse),
            ("169.254.0.0", .linkLocal), ("169.254.169.254", .linkLocal), ("2852039166", .linkLocal),
            ("0xa9fea9fe", .linkLocal), ("0251.0376.0251.0376", .linkLocal),
            ("192.0.0.1", .reserved), ("198.18.0.0", .reserved), ("198.19.255.255", .reserved),
            ("224.0.0.0", .reserved), ("239.255.255.255", .reserved), ("255.255.255.255", .reserved),
        ] as [(String, Network)])
    func v4(host: String, network: Network) {
        #expect(Network(literal: host) == network)
    }

    @Test(
        "is known by a number of the sixth version",
        arguments: [
            ("2606:4700::1111", .open), ("2001:4860:4860::8888", .open), ("::ffff:8.8.8.8", .open),
            ("64:ff9b::808:808", .open), ("2002:808:808::1", .open),
            ("::1", .loopback), ("::", .loopback), ("0:0:0:0:0:0:0:1", .loopback), ("::ffff:127.0.0.1", .loopback),
            ("::127.0.0.1", .loopback), ("64:ff9b::7f00:1", .loopback), ("2002:7f00:1::", .loopback),
            ("fc00::1", .privateUse), ("fdff:ffff::1", .privateUse), ("::ffff:10.1.2.3", .privateUse),
            ("2002:c0a8:101::", .privateUse), ("fe80::1", .linkLocal), ("febf::1", .linkLocal),
            ("fec0::1", .linkLocal), ("::ffff:169.254.169.254", .linkLocal), ("::ffff:a9fe:a9fe", .linkLocal),
            ("ff02::1", .reserved), ("ffff::", .reserved), ("::ffff:224.0.0.1", .reserved),
        ] as [(String, Network)])
    func v6(host: String, network: Network) {
        #expect(Network(literal: "[\(host)]") == network)
        #expect(Network(literal: host) == network)
        #expect(Network(literal: "[\(host.uppercased())]") == network)
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
        #expect(
            withUnsafeBytes(of: &v4) { Network($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) } == .linkLocal)
        var v6 = sockaddr_in6()
        v6.sin6_family = sa_family_t(AF_INET6)
        inet_pton(AF_INET6, "2606:4700::1111", &v6.sin6_addr)
        #expect(withUnsafeBytes(of: &v6) { Network($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) } == .open)
        v6.sin6_family = sa_family_t(AF_UNIX)
        #expect(
            withUnsafeBytes(of: &v6) { Network($0.baseAddress!.assumingMemoryBound(to: sockaddr.self)) } == .reserved)
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

    @Test("permits the network in which the upstream is, once it has been seen there")
    func upstreamsOwn() {
        let other = address("https://elsewhere.example/")
        #expect(places.permits(.privateUse, for: address("https://upstream.example/feed")))
        #expect(places.permits(.privateUse, for: other))
        #expect(!places.permits(.loopback, for: other) && !places.permits(.linkLocal, for: other))
    }

    @Test(
        "judges by name what a proxy is to connect to",
        arguments: [
            ("example.org", true), ("8.8.8.8", true), ("localhost", false), ("a.localhost", false), ("10.1", false),
            ("[::1]", false), ("169.254.169.254", false), ("localhost.example", true), ("127.0.0.1.", false),
            ("localhost.", false), ("a.localhost.", false), ("2852039166", false),
        ])
    func byProxy(host: String, isPermitted: Bool) {
        #expect(places.permitsByProxy(address("http://\(host)/")) == isPermitted)
    }
}
