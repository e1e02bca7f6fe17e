/// Queries for SQLite's full-text search (FTS5, "Full-text Query Syntax").
package enum FullText {
    /// Finds days with all these words, taken literally. The last one may be the beginning of a word.
    package static func query(_ words: [String]) -> String { words.map(phrase).joined(separator: " ") + "*" }

    private static func phrase(_ word: String) -> String {
        var scalars = String.UnicodeScalarView("\"".unicodeScalars)
        for scalar in word.unicodeScalars {
            switch scalar {
            case "\"": scalars.append(contentsOf: "\"\"".unicodeScalars)
            // SQLite reads a query only up to a zero.
            case "\0": scalars.append(" ")
            default: scalars.append(scalar)
            }
        }
        scalars.append("\"")
        return String(scalars)
    }
}
