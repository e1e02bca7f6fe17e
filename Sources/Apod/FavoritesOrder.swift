/// A change of the favorites that a command or the web asks for. It is made in the folder, as a person would make it.
package struct FavoritesOrder: Sendable, Equatable {
    /// `undo`: makes again the links with which the favorites ended.
    package enum Action: String, Sendable, CaseIterable { case add, remove, restore, undo }

    package let action: Action
    package let subjects: Set<Subject>
    /// For `restore`: the links that went since this time, in seconds since 1970.
    package let since: Int?
    /// For `add` and `remove`: the album that they are put in or taken out of.
    package let album: AlbumName?

    package init(_ action: Action, _ subjects: Set<Subject>, since: Int? = nil, album: AlbumName? = nil) {
        self.action = action
        self.subjects = subjects
        self.since = since
        self.album = album
    }
}

extension FavoritesOrder {
    package var members: [(String, JSON)] {
        [
            ("action", .string(action.rawValue)),
            ("subjects", .array(subjects.sorted().map { .sparse($0.members) })), ("since", .optional(since)),
            ("album", .optional(album?.text)),
        ]
    }

    package init?(_ members: [String: JSONText]) {
        guard let action = members["action"]?.string.flatMap(Action.init), let elements = members["subjects"]?.elements,
            let album = members["album"].optional({ $0.string.flatMap(AlbumName.init) })
        else { return nil }
        let subjects = elements.compactMap { $0.members.flatMap(Subject.init) }
        guard subjects.count == elements.count else { return nil }
        self.init(action, Set(subjects), since: members["since"]?.integer, album: album)
    }
}

/// A line that asks the service for something: one JSON object, with the version of the protocol.
package enum ServiceLine {
    /// A service of another version refuses the line. Raised with every change of what is said.
    package static let version = 12

    package static func asking(for work: String, _ members: [(String, JSON)] = []) -> JSON {
        .object([("version", .integer(version)), ("do", .string(work))] + members)
    }
}
