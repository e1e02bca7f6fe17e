/// Cleans text that comes from outside, before anybody reads it.
package enum Text {
    /// True for control, format, bidirectional and unassigned characters: a reader sees none of them.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        // The tables of Unicode are slow, and most text is ASCII.
        if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7f }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return true
        default: return false
        }
    }

    package static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.isASCII { return scalar.value == 0x20 || 0x09...0x0d ~= scalar.value }
        return scalar.properties.isWhitespace
    }

    /// The text with one space for each run of white space, and none at either end.
    package static func collapsed(_ text: String) -> String { collapsed(text) { _ in true } }

    /// The text on one line, without invisible characters.
    package static func clean(_ text: String) -> String { collapsed(text) { !isInvisible($0) } }

    /// The text as one line of a message: invisible characters and line ends become U+FFFD. Cut after `limit` scalars.
    package static func shown(_ text: String, atMost limit: Int = .max) -> String {
        let scalars = text.unicodeScalars
        let start = scalars.prefix(limit)
        let shown = start.map { isInvisible($0) ? "\u{fffd}" : $0 }
        return String(String.UnicodeScalarView(shown)) + (start.endIndex == scalars.endIndex ? "" : "…")
    }

    /// A word or an address from outside, which may be of any length, as a part of a message.
    package static func brief(_ text: String) -> String { shown(text, atMost: 200) }

    /// Several lines, each as `shown` makes it.
    package static func shown(lines text: String) -> String {
        // Nearly all that is told is plain, and scalars are slow.
        if text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 }) { return text }
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { shown(String($0)) }.joined(separator: "\n")
    }

    /// The text as one word of a shell command that a person is shown.
    package static func quoted(_ text: String) -> String {
        let parts = text.unicodeScalars.split(separator: "'", omittingEmptySubsequences: false)
        return shown("'\(parts.map { String($0) }.joined(separator: "'\\''"))'")
    }

    /// Joins texts as in a sentence: `a, b and c`.
    package static func names(_ texts: [String]) -> String {
        let names = texts.map { shown($0) }
        guard names.count > 1, let last = names.last else { return names.first ?? "" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last)"
    }

    private static func collapsed(_ text: String, keeping isKept: (Unicode.Scalar) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var isBetween = false
        for scalar in text.unicodeScalars {
            if isSpace(scalar) {
                isBetween = true
            } else if isKept(scalar) {
                if isBetween, !bytes.isEmpty { bytes.append(0x20) }
                isBetween = false
                append(scalar, to: &bytes)
            }
        }
        return bytes.text
    }

    /// Appends a scalar as UTF-8. A string grows more slowly than an array of bytes.
    package static func append(_ scalar: Unicode.Scalar, to bytes: inout [UInt8]) {
        if scalar.isASCII { bytes.append(UInt8(scalar.value)) } else { bytes += scalar.utf8 }
    }
}
