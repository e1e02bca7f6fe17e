package import Apod
import Glibc
import Synchronization

/// Which addresses may be connected to: public ones, and the networks in which the upstream itself is.
package final class AddressPolicy: Sendable {
    private let upstream: String
    private let allowed = Mutex<Set<Network>>([.open])

    package init(upstream: WebAddress) { self.upstream = String(upstream.authority) }

    func isUpstream(_ address: WebAddress) -> Bool { String(address.authority) == upstream }

    /// Before a connection, by the resolved address: a name that resolves differently the second time changes nothing.
    func permits(_ network: Network, for address: WebAddress) -> Bool {
        allowed.withLock { allowed in
            // Where the upstream is now: a wrong answer of some resolver is not for ever.
            if isUpstream(address) { allowed = [.open, network] }
            return allowed.contains(network)
        }
    }

    /// When a proxy connects in our place, only the name can be judged.
    func permitsByProxy(_ address: WebAddress) -> Bool {
        let host = address.undottedHost
        if host == "localhost" || host.hasSuffix(".localhost") { return permits(.loopback, for: address) }
        guard let network = Network(literal: host) else { return true }
        return permits(network, for: address)
    }
}

extension WebAddress {
    /// A dot behind a name, for the root of all names, means nothing (RFC 1034, 3.1).
    var undottedHost: Substring { host.hasSuffix(".") ? host.dropLast() : host }
}
