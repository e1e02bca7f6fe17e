package import Apod
import Files
import Synchronization

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
            SELECT list, stem, item.title, snippet(prose, 1, char(2), char(3), '…', 24) AS excerpt,
                \(Self.firstType) AS type
            FROM prose JOIN item ON n = prose.rowid
            WHERE prose MATCH ? AND \(Item.isStored) ORDER BY list, bm25(prose, 4, 1), n DESC LIMIT ?
            """, .text(FullText.query(words)), .integer(limit)
        ) { row -> SearchResult? in
            guard let name = row.fileName else { return nil }
            return SearchResult(
                name: name, title: row.text("title") ?? "", path: name.path(of: row.file(of: name)),
                excerpt: row.text("excerpt") ?? "")
        }
    }
}

/// What the name of a folder in `search` asks for: words, narrowed by `favorites:`, years (`2024`) and lists (`cats:`).
package struct SearchTerms: Sendable {
    private(set) var (words, years, lists): ([String], [String], [String]) = ([], [], [])
    package private(set) var areFavorites = false

    /// `lists`: those that there are. What is none is a word.
    package init(_ name: String, lists: Set<ListName> = []) {
        let lists = ["apod"] + lists.map(\.description)
        for word in name.split(whereSeparator: \.isWhitespace).map(String.init) {
            if word == "\(Tree.favorites):" {
                areFavorites = true
            } else if word.last == ":", lists.contains(String(word.dropLast())) {
                self.lists.append(String(word.dropLast()))
            } else if FileName.isYear(word) {
                years.append(word)
            } else {
                words.append(word)
            }
        }
    }
}

extension Catalog {
    /// The files to look at of all that a search finds. `keys`: among these alone.
    package func files(of terms: SearchTerms, among keys: Set<Key>? = nil) throws -> [(name: FileName, file: String)] {
        // Which comes first is what is read: the keys, or all that has the words.
        var tables = keys == nil ? "prose CROSS JOIN item" : "item CROSS JOIN prose"
        var (conditions, values): ([String], [Database.Value]) = ([Item.isStored], [])
        if terms.words.isEmpty {
            tables = "item"
        } else {
            conditions += ["n = prose.rowid", "prose MATCH ?"]
            values.append(.text(FullText.query(terms.words)))
        }
        func narrow(_ column: String, to allowed: Database.Value) {
            conditions.append("\(column) IN (SELECT value FROM json_each(?))")
            values.append(allowed)
        }
        if !terms.years.isEmpty { narrow("substr(stem, 1, 4)", to: .text(JSON.strings(terms.years).line)) }
        if !terms.lists.isEmpty { narrow("iif(list = '', 'apod', list)", to: .text(JSON.strings(terms.lists).line)) }
        return try database.withLock { database in
            if let keys { narrow("n", to: .numbers(try keys.compactMap { try database.number(of: $0) })) }
            let sql = """
                SELECT list, stem, \(Self.firstType) AS type FROM \(tables)
                WHERE \(conditions.joined(separator: " AND "))
                """
            return try database.rows(sql, values) { row in
                guard let name = row.fileName, row.text("type") != nil else { return nil }
                return (name, row.file(of: name))
            }
        }
    }
}
