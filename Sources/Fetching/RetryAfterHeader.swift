internal import CCurl
import Glibc

extension Head {
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
        let seconds = curl_getdate(text, nil)
        return seconds < 0 ? nil : seconds
    }
}
