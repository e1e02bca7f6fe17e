import Apod
import Glibc

/// Names with values, in order: the fields of a head, or what a query asks for.
package typealias Pairs = [(name: String, value: String)]

/// A request whose path and query are decoded and checked.
package struct Request: Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
        case options = "OPTIONS"
        case post = "POST"
    }

    package let method: Method
    /// Path and query as they came.
    package let target: String
    /// The parts of the path, decoded: never empty, `.` or `..`, and without `/` and NUL.
    package let path: [String]
    /// Whether the path ends in a slash.
    package let isFolder: Bool
    package let query: Pairs
    /// The address that was asked, like `http://nas.local:8095`; empty where the client named none.
    package let origin: String
    /// By lower-case name; only those of `RequestHead.wanted`.
    package let headers: [String: String]

    /// Longer paths name nothing here.
    private static let longest = 4096

    /// Why a request is not answered, and with which status.
    package struct Refusal: Error, Equatable {
        let status: Int
        let words: String

        package static let bad = Refusal(status: 400, words: "The address is not valid.")
        package static let notAllowed = Refusal(status: 405, words: "Only GET, HEAD, OPTIONS and POST are answered.")
        package static let tooLong = Refusal(status: 414, words: "The address is too long.")
    }

    package init(
        _ method: String, _ path: String, query: Pairs = [], headers: [String: String] = [:],
        origin: String = ""
    ) throws(Refusal) {
        guard let method = Method(rawValue: method) else { throw .notAllowed }
        guard path.utf8.count <= Self.longest else { throw .tooLong }
        guard path.utf8.first == "/", let parts = Self.parts(of: path) else { throw .bad }
        self.method = method
        self.path = parts
        isFolder = path.utf8.last == "/"
        self.query = try query.map { pair throws(Refusal) in
            guard let name = Self.decoded(pair.name.utf8), let value = Self.decoded(pair.value.utf8) else { throw .bad }
            return (name, value)
        }
        target = query.isEmpty ? path : "\(path)?" + query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
        self.headers = headers
        self.origin = origin
    }

    package subscript(name: String) -> String? { query.first { $0.name == name }?.value }

    private static func parts(of path: String) -> [String]? {
        var parts: [String] = []
        for part in path.utf8.split(separator: "/") {
            guard let text = decoded(part), text != ".", text != "..", !text.utf8.contains("/") else {
                return nil
            }
            parts.append(text)
        }
        return parts
    }

    /// Decodes percent-encoding; nil for a broken escape, for NUL, and for what is not UTF-8.
    private static func decoded(_ text: some Collection<UInt8>) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count)
        var rest = text[...]
        while let byte = rest.popFirst() {
            guard byte == "%" else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit) else {
                return nil
            }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) }
    }
}
