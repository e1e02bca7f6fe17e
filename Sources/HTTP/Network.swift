import Glibc

/// A network, like `203.0.113.0/24`, or one address.
package struct Network: Sendable {
    let bytes: [UInt8]
    private let bits: Int

    /// This machine, private networks, and what is on the same cable (RFC 1918, 3927, 4193 and 4291).
    static let home = [
        "127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7",
        "fe80::/10",
    ].map { Network($0)! }

    /// Whether a peer is in the same network as this machine's address that it asked: a network at home has one IPv6
    /// prefix of 64 bits (RFC 4291, 2.5.4). The connection tells it: the server's sandbox sees no interfaces, and
    /// providers change the prefix.
    static func areNeighbours(_ address: [UInt8], _ own: [UInt8]) -> Bool {
        address.count == 16 && own.count == 16 && address[..<8] == own[..<8]
    }

    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (family, length) = text.contains(":") ? (AF_INET6, 16) : (AF_INET, 4)
        var bytes = [UInt8](repeating: 0, count: length)
        guard let address = parts.first, inet_pton(family, address, &bytes) == 1 else { return nil }
        let most = 8 * length
        let bits = parts.count == 1 ? most : parts[1].utf8.allSatisfy { 0x30...0x39 ~= $0 } ? Int(parts[1]) : nil
        guard let bits, bits <= most else { return nil }
        (self.bytes, self.bits) = (bytes, bits)
    }

    /// `address`: 4 bytes or 16.
    func contains(_ address: [UInt8]) -> Bool {
        address.count == bytes.count
            && (0..<bits).allSatisfy { (address[$0 / 8] ^ bytes[$0 / 8]) & (0x80 >> ($0 % 8)) == 0 }
    }
}
