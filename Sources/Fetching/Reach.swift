package import Apod
import CCurl
import Glibc
import Synchronization

/// The kind of network that an address belongs to.
enum Reach: Hashable, Sendable {
    case open, loopback, privateUse, linkLocal, reserved

    init(_ address: UnsafePointer<sockaddr>) {
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let address = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in.self)
            self.init(v4: UInt32(bigEndian: address.sin_addr.s_addr))
        case AF_INET6:
            let address = UnsafeRawPointer(address).loadUnaligned(as: sockaddr_in6.self)
            self.init(v6: withUnsafeBytes(of: address.sin6_addr) { Array($0) })
        default: self = .reserved
        }
    }

    /// Follows IANA's registry of special-purpose addresses.
    private init(v4 address: UInt32) {
        func within(_ a: UInt32, _ b: UInt32, _ bits: UInt32) -> Bool {
            address >> (32 - bits) == (a << 24 | b << 16) >> (32 - bits)
        }
        if within(127, 0, 8) || within(0, 0, 8) {
            self = .loopback
        } else if within(10, 0, 8) || within(172, 16, 12) || within(192, 168, 16) || within(100, 64, 10) {
            self = .privateUse
        } else if within(169, 254, 16) {
            self = .linkLocal
        } else if within(192, 0, 24) || within(198, 18, 15) || within(224, 0, 3) {
            self = .reserved
        } else {
            self = .open
        }
    }

    private init(v6 bytes: [UInt8]) {
        let zeros = bytes.prefix { $0 == 0 }.count
        if zeros >= 15 {
            self = .loopback
        } else if bytes[0] & 0xfe == 0xfc {
            self = .privateUse
        } else if bytes[0] == 0xfe {
            self = .linkLocal
        } else if bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 1]) {
            // RFC 8215: for translators within a network.
            self = .privateUse
        } else if bytes[0] == 0xff || bytes.starts(with: [0x20, 0x01, 0, 0]) {
            self = .reserved
        } else if let v4 = Self.embedded(in: bytes) {
            self.init(v4: v4.reduce(0) { $0 << 8 | UInt32($1) })
        } else {
            self = .open
        }
    }

    /// The IPv4 address inside a mapped, translated (SIIT, NAT64) or 6to4 address.
    private static func embedded(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
        let mapped = bytes[..<8].allSatisfy { $0 == 0 }
        let translated = bytes.starts(with: [0, 0x64, 0xff, 0x9b, 0, 0])
        if mapped || translated { return bytes[12...] }
        return bytes.starts(with: [0x20, 0x02]) ? bytes[2..<6] : nil
    }
}

/// Decides which addresses may be connected to: public ones, and the kind of network that the upstream itself is in.
package final class AddressPolicy: Sendable {
    private let upstream: String
    private let allowed = Mutex<Set<Reach>>([.open])

    package init(upstream: WebAddress) { self.upstream = String(upstream.authority) }

    func isUpstream(_ address: WebAddress) -> Bool { String(address.authority) == upstream }

    /// Judges the resolved address of each connection, as a name can resolve differently the next time.
    func permits(_ network: Reach, for address: WebAddress) -> Bool {
        allowed.withLock { allowed in
            // Replaces the former network: a wrong DNS answer has no lasting effect.
            if isUpstream(address) { allowed = [.open, network] }
            return allowed.contains(network)
        }
    }
}
