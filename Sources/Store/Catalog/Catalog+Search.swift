package import Apod
import Files

/// A day, or an item of another list, that a search found.
package struct SearchResult: Sendable {
    package let name: FileName
    package let title: String
    /// The file to open, below the root.
    package let path: String
    /// A part of the explanation, with each word found between U+0002 and U+0003.
    package let excerpt: String
}

extension Catalog {
    /// The days with all these words in title or explanation, best first, then the items of other lists. The last word may
    /// be a beginning.
    package func search(_ words: [String], limit: Int) throws -> [SearchResult] {
        if words.isEmpty { return [] }
        return try all(
            """
            SELECT day.day, list, stem, day.title, snippet(prose, 1, char(2), char(3), '…', 24) AS excerpt,
                \(Self.firstType) AS type
            FROM prose JOIN day ON day.day = prose.rowid
            WHERE prose MATCH ? AND stem IS NOT NULL ORDER BY list, bm25(prose, 4, 1), day.day DESC LIMIT ?
            """, .text(FullText.query(words)), .integer(limit)
        ) { row -> SearchResult? in
            guard let name = row.fileName else { return nil }
            return SearchResult(
                name: name, title: row.text("title") ?? "", path: name.path(of: row.file(of: name)),
                excerpt: row.text("excerpt") ?? "")
        }
    }
}
