import Apod

/// What a client asked.
package struct Request: Sendable {
    package let method: String
    /// As it stood in the request line: still encoded, with the query.
    package let target: String
    /// Decoded, without the query.
    package let path: String
    /// Decoded, in the order given.
    package let query: [(name: String, value: String)]
    /// By their names in lower case.
    package let headers: [String: String]
    /// How many times this target has been asked for, this time included.
    package internal(set) var attempt = 1
    package let time: ContinuousClock.Instant

    /// The first value with that name in the query.
    package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    var keepsAlive: Bool { headers["connection"]?.lowercased() != "close" }

    /// Reads a head, up to the empty line.
    init?(head: ArraySlice<UInt8>) {
        let lines = head.split(separator: "\n").map { $0.last == "\r" ? $0.dropLast() : $0 }
        let words = lines.first?.split(separator: " ").map(\.text) ?? []
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else { return nil }
        method = words[0]
        target = words[1]
        headers = Self.headers(lines.dropFirst())
        let parts = target.utf8.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = Self.decoded(parts[0])
        query = parts.count == 2 ? Self.pairs(parts[1]) : []
        time = .now
    }

    private static func headers(_ lines: ArraySlice<ArraySlice<UInt8>>) -> [String: String] {
        var headers: [String: String] = [:]
        for line in lines {
            guard let colon = line.firstIndex(of: ":") else { continue }
            let value = line[(colon + 1)...].drop { $0 == " " }
            headers[line[..<colon].text.lowercased()] = String(
                decoding: value, as: UTF8.self)
        }
        return headers
    }

    private static func pairs(_ query: Substring.UTF8View) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decoded(parts[0], plus: true), parts.count == 2 ? decoded(parts[1], plus: true) : "")
        }
    }

    private static func decoded(_ text: Substring.UTF8View, plus: Bool = false) -> String {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == "%", let code = UInt8(rest.prefix(2).text, radix: 16) {
                bytes.append(code)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(plus && byte == "+" ? " " : byte)
            }
        }
        return bytes.text
    }
}
