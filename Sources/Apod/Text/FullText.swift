/// Queries for SQLite's full-text search (FTS5, "Full-text Query Syntax").
package enum FullText {
    /// Finds days with all these words, taken literally. The last one may be the beginning of a word.
    package static func query(_ words: [String]) -> String { words.map(phrase).joined(separator: " ") + "*" }

    private static func phrase(_ word: String) -> String {
        let parts = word.unicodeScalars.split(separator: "\"", omittingEmptySubsequences: false)
        return "\"\(parts.map { String($0) }.joined(separator: "\"\""))\""
    }
}
