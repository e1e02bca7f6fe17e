internal import Apod

/// What a command wants to know that changes nothing.
package enum Query: Sendable, Equatable {
    /// `rows`: of the window in which it is read; nil if it is in none.
    case status(asJSON: Bool, rows: Int? = nil)
    case favorites(as: Listing)
    case history(asJSON: Bool)
    case search([String], as: Listing)
}

/// How a command lists days.
package enum Listing: String, Sendable, CaseIterable {
    case titles
    /// The same, with the places where the words are.
    case excerpts
    case paths
    case json
}

extension Query {
    /// In no window are more.
    private static let mostRows = 10_000

    var json: [(String, JSON)] {
        switch self {
        case .status(let asJSON, let rows):
            [("what", .string("status")), ("json", .bool(asJSON)), ("rows", .optional(rows))]
        case .favorites(let listing): [("what", .string("favorites")), ("as", .string(listing.rawValue))]
        case .history(let asJSON): [("what", .string("history")), ("json", .bool(asJSON))]
        case .search(let words, let listing):
            [
                ("what", .string("search")), ("words", .array(words.map(JSON.string))),
                ("as", .string(listing.rawValue)),
            ]
        }
    }

    init?(_ members: [String: JSONText]) {
        let asJSON = members["json"]?.bool
        let listing = (members["as"]?.string).flatMap(Listing.init)
        let words = members["words"]?.elements?.compactMap(\.string)
        let query: Self? =
            switch members["what"]?.string {
            case "status":
                asJSON.map { asJSON in
                    .status(asJSON: asJSON, rows: members["rows"]?.integer.map { min(max($0, 1), Self.mostRows) })
                }
            case "favorites": listing.map { .favorites(as: $0) }
            case "history": asJSON.map { .history(asJSON: $0) }
            case "search": words.flatMap { words in listing.map { .search(words, as: $0) } }
            default: nil
            }
        guard let query else { return nil }
        self = query
    }
}
