/// Text as it may stand in HTML and in XML, between tags or in an attribute's quotes.
package enum HTML {
    /// Works on scalars: a mark that is joined with letters into one `Character` would be missed.
    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            case "'": bytes += "&#39;".utf8
            case _ where Text.isInvisible(scalar) && !Text.isSpace(scalar): Text.append("\u{fffd}", to: &bytes)
            default: Text.append(scalar, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
