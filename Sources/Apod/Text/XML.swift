/// Text as it may stand in an XML document, between tags or in an attribute's quotes.
package enum XML {
    /// Leaves out what XML 1.0 forbids (section 2.2). Works on scalars: a mark that is joined with letters into one
    /// `Character` would be missed.
    package static func escaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars where isAllowed(scalar) {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            // A parser makes a line feed of it.
            case "\r": bytes += "&#13;".utf8
            default: Text.append(scalar, to: &bytes)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
        default: false
        }
    }
}
