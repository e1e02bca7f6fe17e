package import Apod
import Synchronization

/// Decides which addresses may be connected to: public ones, and the kind of network that the upstream itself is in.
package final class AddressPolicy: Sendable {
    private let upstream: String
    private let allowed = Mutex<Set<Network>>([.open])

    package init(upstream: WebAddress) { self.upstream = String(upstream.authority) }

    func isUpstream(_ address: WebAddress) -> Bool { String(address.authority) == upstream }

    /// Judges the resolved address of each connection, as a name can resolve differently the next time.
    func permits(_ network: Network, for address: WebAddress) -> Bool {
        allowed.withLock { allowed in
            // Replaces the former network: a wrong DNS answer has no lasting effect.
            if isUpstream(address) { allowed = [.open, network] }
            return allowed.contains(network)
        }
    }
}
