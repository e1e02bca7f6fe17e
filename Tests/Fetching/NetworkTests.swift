import Apod
import Glibc
import Testing

@testable import Fetching

struct NetworkTests {
    @Test(
        "A network is known by an address of the fourth version",
        arguments: [
            (
                .open,
                """
                8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
                169.255.0.0 172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0
                223.255.255.255
                """
            ),
            (.loopback, "127.0.0.1 127.255.255.255 0.0.0.0"),
            (
                .privateUse,
                """
                10.0.0.0 10.255.255.255 172.16.0.0 172.31.255.255 192.168.0.0 192.168.255.255 100.64.0.0
                100.127.255.255
                """
            ),
            (.linkLocal, "169.254.0.0 169.254.169.254 169.254.255.255"),
            (.reserved, "192.0.0.1 198.18.0.0 198.19.255.255 224.0.0.0 239.255.255.255 240.0.0.1 255.255.255.255"),
        ] as [(Network, String)])
    func v4(network: Network, hosts: String) {
        for host in hosts.split(whereSeparator: \.isWhitespace).map(String.init) {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            let isAddress = inet_pton(AF_INET, host, &address.sin_addr) == 1
            #expect(isAddress, "\(host)")
            #expect(withUnsafeBytes(of: &address, Self.network) == network, "\(host)")
        }
    }

    @Test(
        "A network is known by an address of the sixth version",
        arguments: [
            (.open, "2606:4700::1111 ::ffff:8.8.8.8 64:ff9b::808:808 2002:808:808::1"),
            (.loopback, "::1 :: 0:0:0:0:0:0:0:1 ::ffff:127.0.0.1 ::127.0.0.1 64:ff9b::7f00:1 2002:7f00:1::"),
            (.privateUse, "fc00::1 fdff:ffff::1 ::ffff:10.1.2.3 2002:c0a8:101::"),
            (.linkLocal, "fe80::1 febf::1 fec0::1 ::ffff:169.254.169.254 ::ffff:a9fe:a9fe"),
            (.reserved, "ff02::1 ffff:: ::ffff:224.0.0.1"),
        ] as [(Network, String)])
    func v6(network: Network, hosts: String) {
        for host in hosts.split(separator: " ").map(String.init) {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            let isAddress = inet_pton(AF_INET6, host, &address.sin6_addr) == 1
            #expect(isAddress, "\(host)")
            #expect(withUnsafeBytes(of: &address, Self.network) == network, "\(host)")
        }
    }

    @Test("A network of another family is reserved")
    func others() {
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_UNIX)
        #expect(withUnsafeBytes(of: &address, Self.network) == .reserved)
    }

    private static func network(_ address: UnsafeRawBufferPointer) -> Network {
        Network(address.baseAddress!.assumingMemoryBound(to: sockaddr.self))
    }
}

struct GuardTests {
    private let places = AddressPolicy(upstream: address("https://upstream.example"))

    @Test(
        "A guard permits the open web and nothing else",
        arguments: [Network.open, .loopback, .privateUse, .linkLocal, .reserved])
    func others(network: Network) {
        #expect(places.permits(network, for: address("https://elsewhere.example/")) == (network == .open))
        #expect(places.permits(network, for: address("https://upstream.example.evil/")) == (network == .open))
    }
}
