import CMicrohttpd
import Glibc

/// The head of a request as libmicrohttpd read it.
struct RequestHead {
    private(set) var headers: [String: String] = [:]
    /// True if a header that decides where a request ends, or whom it is for, stands there twice.
    private(set) var isAmbiguous = false

    private static let wanted = [
        "host", "if-none-match", "if-modified-since", "if-range", "range", "content-length", "transfer-encoding",
        "accept-encoding", "origin", "sec-fetch-site", "x-apod-favorite", "x-forwarded-host", "x-forwarded-proto",
    ]
    private static let single: Set = ["host", "content-length", "transfer-encoding"]

    init(_ connection: OpaquePointer) {
        withUnsafeMutablePointer(to: &self) { head in
            _ = MHD_get_connection_values(
                connection, .HEADER_KIND,
                { head, _, name, value in
                    guard let head, let name, let value else { return .YES }
                    head.assumingMemoryBound(to: RequestHead.self).pointee.add(name, value)
                    return .YES
                }, head)
        }
        isAmbiguous = isAmbiguous || headers["content-length"] != nil && headers["transfer-encoding"] != nil
    }

    private mutating func add(_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) {
        guard let known = Self.wanted.first(where: { strcasecmp($0, name) == 0 }) else { return }
        if headers[known] != nil, Self.single.contains(known) { isAmbiguous = true }
        headers[known] = String(cString: value)
    }

    /// The pairs of the query, still encoded.
    static func query(_ connection: OpaquePointer) -> Pairs {
        var pairs: Pairs = []
        withUnsafeMutablePointer(to: &pairs) { pairs in
            _ = MHD_get_connection_values(
                connection, .GET_ARGUMENT_KIND,
                { pairs, _, name, value in
                    guard let pairs, let name else { return .YES }
                    pairs.assumingMemoryBound(to: Pairs.self).pointee
                        .append((String(cString: name), value.map { String(cString: $0) } ?? ""))
                    return .YES
                }, pairs)
        }
        return pairs
    }

    /// The address that was asked. A proxy on this machine may name another.
    func origin(_ hosts: Hosts, isLocal: () -> Bool) throws(Request.Refusal) -> String {
        let forwarded = headers["x-forwarded-host"].flatMap { isLocal() ? $0 : nil }
        guard let host = forwarded ?? headers["host"] else { return "" }
        for name in [host, headers["host"] ?? host] where !hosts.accept(name) { throw hosts.refusal(of: name) }
        let isSecure = headers["x-forwarded-proto"]?.lowercased() == "https" && isLocal()
        return "\(isSecure ? "https" : "http")://\(host.lowercased())"
    }
}
