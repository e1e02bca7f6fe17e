import Apod

/// Cleans text that was taken out of HTML.
enum PlainText {
    /// Returns the text on one line, without the spaces that the upstream's archive has after each link.
    static func tidy(_ text: String) -> String {
        let scalars = Array(Text.clean(text).unicodeScalars)
        var bytes: [UInt8] = []
        for (index, scalar) in scalars.enumerated() where scalar != " " || !isStray(scalars[(index + 1)...]) {
            Text.append(scalar, to: &bytes)
        }
        return bytes.text
    }

    /// Whether a space before `rest` is to be left out: it stands before closing punctuation or `'s`.
    private static func isStray(_ rest: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let first = rest.first else { return false }
        let second = rest.dropFirst().first
        switch first {
        case "'", "’": return second == "s" && rest.dropFirst(2).first.map { !isLetter($0) } ?? true
        case ")": return second.map { Text.isSpace($0) || closing.contains($0) || ending.contains($0) } ?? true
        case let first where ending.contains(first):
            return second.map { Text.isSpace($0) || closing.contains($0) } ?? true
        default: return false
        }
    }

    private static let ending: Set<Unicode.Scalar> = [",", ".", ";", ":", "!", "?"]
    private static let closing: Set<Unicode.Scalar> = ["\"", "'", "”", "’", "»", ")", "]", "}"]

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    }

    /// Returns the text without invisible characters, but with all its white space.
    ///
    /// Numeric references to 128…159 mean the characters of Windows-1252 (HTML, 13.2.5.80); old pages have them.
    static func visible(_ text: String) -> String {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            if 0x80...0x9f ~= scalar.value {
                Text.append(windows1252[Int(scalar.value) - 0x80], to: &bytes)
            } else if Text.isSpace(scalar) || !Text.isInvisible(scalar) {
                Text.append(scalar, to: &bytes)
            }
        }
        return bytes.text
    }

    private static let windows1252 = Array(
        "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ".unicodeScalars)
}
