internal import CCurl
import Glibc

extension Head {
    /// For how many seconds the server asks to be left alone (RFC 9110, 10.2.3), a day at most. Some say 403 where
    /// they mean that.
    ///
    /// Read here: some versions of libcurl know no more than six hours.
    var retryAfter: Int? {
        guard status == 403 || status == 429 || status >= 500, let field = fields["retry-after"] else { return nil }
        guard let seconds = Self.isNumber(field) ? Int(field) : Self.seconds(until: field, since: fields["date"]),
            1...Self.longestSensible ~= seconds
        else { return nil }
        return min(seconds, 86_400)
    }

    /// What is longer is not meant: a year.
    private static let longestSensible = 366 * 86_400

    private static func isNumber(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    }

    /// By the server's own clock, if it tells: this machine's may be wrong.
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
