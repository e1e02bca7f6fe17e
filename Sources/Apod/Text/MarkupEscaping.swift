/// Text in HTML or XML, between tags or in an attribute's quotes.
enum MarkupEscaping {
    /// `special`: what stands for a scalar other than `&`, `<`, `>` and `"`; nil for itself. Works on scalars: a mark that is
    /// joined with letters into one `Character` would be missed.
    static func escaped(_ text: String, _ special: (Unicode.Scalar) -> String?) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": bytes += "&amp;".utf8
            case "<": bytes += "&lt;".utf8
            case ">": bytes += "&gt;".utf8
            case "\"": bytes += "&quot;".utf8
            default: if let words = special(scalar) { bytes += words.utf8 } else { Text.append(scalar, to: &bytes) }
            }
        }
        return bytes.text
    }
}

/// Text as it may stand in HTML, and in XML that carries HTML.
package enum HTML {
    package static func escaped(_ text: String) -> String {
        MarkupEscaping.escaped(text) { scalar in
            if scalar == "'" { return "&#39;" }
            return Text.isInvisible(scalar) && !Text.isSpace(scalar) ? "\u{fffd}" : nil
        }
    }
}

/// Text as it may stand in an XML document.
package enum XML {
    /// Leaves out what XML 1.0 forbids (section 2.2).
    package static func escaped(_ text: String) -> String {
        MarkupEscaping.escaped(text) { scalar in
            // A parser makes a line feed of it.
            if scalar == "\r" { return "&#13;" }
            return isAllowed(scalar) ? nil : ""
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09, 0x0a, 0x0d, 0x20...0xd7ff, 0xe000...0xfffd, 0x10000...0x10ffff: true
        default: false
        }
    }
}
