/// What is done to text that comes from outside, before anybody reads it.
package enum Text {
    /// Control, format, bidirectional and unassigned characters: nothing that a reader sees.
    package static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }

    package static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

    /// One space for each run of white space, none at either end.
    package static func collapsed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            guard isSpace(scalar) else {
                result.append(scalar)
                continue
            }
            if let last = result.last, last != " " { result.append(" ") }
        }
        if result.last == " " { result.removeLast() }
        return String(result)
    }

    /// On one line and without invisible characters.
    package static func clean(_ text: String) -> String {
        let visible = text.unicodeScalars.filter { isSpace($0) || !isInvisible($0) }
        return collapsed(String(String.UnicodeScalarView(visible)))
    }
}
