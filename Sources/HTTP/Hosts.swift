import CMicrohttpd
import Glibc

/// The names under which this machine may be asked.
///
/// A foreign page can lead a name of its own to this machine (DNS rebinding) and then read what a browser here may
/// read. Addresses, this machine's names and those that the owner allows cannot be its own.
package struct Hosts: Sendable {
    private let names: Set<String>
    /// How the owner can allow a name, for which HOST stands: NAME is in a variable's name.
    private let advice: String

    /// What routers at home append to a machine's name (RFC 6762, RFC 8375, and common practice).
    private static let domains = ["local", "lan", "home", "internal", "home.arpa", "fritz.box"]

    package init(machine: String = Hosts.machine, others: [String], advice: String = "") {
        self.advice = advice
        let name = machine.lowercased().split(separator: ".").first.map(String.init) ?? "localhost"
        names = Set(
            [name, "localhost", machine.lowercased()] + Self.domains.map { "\(name).\($0)" }
                + others.map { $0.lowercased() })
    }

    package static var machine: String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            gethostname(buffer.baseAddress!, 255) == 0 ? String(cString: buffer.baseAddress!) : "localhost"
        }
    }

    /// `authority`: a host with or without a port.
    package func accept(_ authority: String) -> Bool {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]"), Self.isPort(authority[end...].dropFirst()) else {
                return false
            }
            var address = in6_addr()
            return inet_pton(AF_INET6, String(authority[..<end].dropFirst()), &address) == 1
        }
        let host = authority.prefix { $0 != ":" }
        guard Self.isPort(authority[host.endIndex...]) else { return false }
        var address = in_addr()
        if inet_pton(AF_INET, String(host), &address) == 1 { return true }
        return names.contains((host.hasSuffix(".") ? host.dropLast() : host).lowercased())
    }

    func refusal(of authority: String) -> Request.Refusal {
        let name = String(authority.prefix { $0 != ":" })
        let advice = advice.isEmpty ? "" : " If it is one, \(advice.replacing("HOST", with: name))."
        return .init(status: 421, words: "“\(name)” is not known here as a name of this machine.\(advice)")
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty || text.first == ":" && text.dropFirst().utf8.allSatisfy { 0x30...0x39 ~= $0 }
    }
}
