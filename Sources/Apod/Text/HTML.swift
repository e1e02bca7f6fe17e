/// Text as it may stand in HTML and in XML, between tags or in an attribute's quotes.
package enum HTML {
    /// By scalars: a `Character` can be a mark together with the letters around it, and is then no mark.
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
