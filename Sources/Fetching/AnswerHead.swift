import Apod
import CCurl
import Glibc

/// The status and header fields of an answer.
struct AnswerHead: Sendable {
    var status = 0
    /// Names in lower case.
    var fields: [String: String] = [:]

    var length: Int? { fields["content-length"].flatMap { Int($0) }.flatMap { $0 < 0 ? nil : $0 } }

    /// Without parameters: `image/jpeg`.
    var contentType: String {
        Text.clean(String((fields["content-type"] ?? "").lowercased().unicodeScalars.prefix { $0 != ";" }))
    }
}

extension AnswerHead {
    /// The pause in seconds that the server asks for (RFC 9110, 10.2.3), at most a day. Some servers send it with 403.
    /// Some versions of libcurl know no more than six hours.
    var retryAfter: Int? {
        guard status == 403 || status == 429 || status >= 500, let field = fields["retry-after"] else { return nil }
        let seconds = Int(field) ?? Self.seconds(until: field, since: fields["date"])
        return seconds.flatMap { 1...Self.longestSensible ~= $0 ? min($0, 86_400) : nil }
    }

    /// A year. More is an error of the server, such as the time of day in seconds.
    private static let longestSensible = 366 * 86_400

    /// Counts from the server's own date, if it sends one: this machine's clock may be wrong.
    private static func seconds(until text: String, since other: String?) -> Int? {
        date(text).map { $0 - (other.flatMap(date) ?? time(nil)) }
    }

    /// All three forms begin with the name of a day (RFC 9110, 5.6.7).
    private static func date(_ text: String) -> Int? {
        guard let first = text.unicodeScalars.first, first.isASCII, first.properties.isAlphabetic else { return nil }
        let seconds = curl.curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}

/// The field Content-Range: `bytes 100-199/200`, or `bytes */200` (RFC 9110, 14.4).
struct ContentRange {
    let first: Int?
    let total: Int?

    init?(_ head: AnswerHead) {
        guard let field = head.fields["content-range"], field.hasPrefix("bytes ") else { return nil }
        let parts = field.dropFirst(6).split(separator: "/")
        guard parts.count == 2 else { return nil }
        first = Int(parts[0].prefix { $0 != "-" })
        total = Int(parts[1]).flatMap { $0 < 0 ? nil : $0 }
    }
}
