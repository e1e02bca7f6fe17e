internal import Apod

/// What a command wants to know that changes nothing.
package enum Query: Sendable, Equatable {
    case status(asJSON: Bool)
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
    var json: [(String, JSON)] {
        switch self {
        case .status(let asJSON): [("what", .string("status")), ("json", .bool(asJSON))]
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
            case "status": asJSON.map { .status(asJSON: $0) }
            case "favorites": listing.map { .favorites(as: $0) }
            case "history": asJSON.map { .history(asJSON: $0) }
            case "search": words.flatMap { words in listing.map { .search(words, as: $0) } }
            default: nil
            }
        guard let query else { return nil }
        self = query
    }
}
