/// What is searched for in SQLite's full text (FTS5, "Full-text Query Syntax").
package enum FullText {
    /// The days with all these words, whatever stands in them. The last word may be a beginning.
    package static func query(_ words: [String]) -> String { words.map(phrase).joined(separator: " ") + "*" }

    private static func phrase(_ word: String) -> String {
        var scalars = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"": scalars.append(contentsOf: "\"\"".unicodeScalars)
            // SQLite reads the query only as far as a zero.
            case "\0": scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        scalars.append("\"")
        return String(scalars)
    }
}
