internal import Apod

/// What a command wants to know that changes nothing.
package enum Query: Sendable, Equatable {
    case status(asJSON: Bool)
    case favorites(asJSON: Bool)
    case history(asJSON: Bool)
    /// `forPerson`: with the places where the words are.
    case search([String], forPerson: Bool)
}

extension Query {
    var json: [(String, JSON)] {
        switch self {
        case .status(let asJSON): [("what", .string("status")), ("json", .bool(asJSON))]
        case .favorites(let asJSON): [("what", .string("favorites")), ("json", .bool(asJSON))]
        case .history(let asJSON): [("what", .string("history")), ("json", .bool(asJSON))]
        case .search(let words, let forPerson):
            [
                ("what", .string("search")), ("words", .array(words.map(JSON.string))), ("person", .bool(forPerson)),
            ]
        }
    }

    init?(_ members: [String: JSONText]) {
        let asJSON = members["json"]?.bool
        let words = members["words"]?.elements?.compactMap(\.string)
        let query: Self? =
            switch members["what"]?.string {
            case "status": asJSON.map { .status(asJSON: $0) }
            case "favorites": asJSON.map { .favorites(asJSON: $0) }
            case "history": asJSON.map { .history(asJSON: $0) }
            case "search": words.flatMap { words in members["person"]?.bool.map { .search(words, forPerson: $0) } }
            default: nil
            }
        guard let query else { return nil }
        self = query
    }
}
