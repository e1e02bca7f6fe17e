/// The field Content-Range: `bytes 100-199/200`, or `bytes */200` (RFC 9110, 14.4).
struct ContentRange {
    let first: Int?
    let total: Int?

    init?(_ head: Head) {
        guard let field = head.fields["content-range"], field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        first = Int(parts[0].prefix { $0 != "-" })
        total = Int(parts[1])
    }
}
