/// A change of the favorites that a command or the web asks for. It is made in the folder, as a person would make it.
package struct FavoritesOrder: Sendable, Equatable {
    /// `undo`: makes again the links with which the favorites ended.
    package enum Action: String, Sendable, CaseIterable { case add, remove, restore, undo }

    package let action: Action
    package let days: Set<Day>
    /// For `restore`: the links that went since this time, in seconds since 1970.
    package let since: Int?
    /// For `add` and `remove`: the album that the days are put in or taken out of.
    package let album: AlbumName?

    package init(_ action: Action, _ days: Set<Day>, since: Int? = nil, album: AlbumName? = nil) {
        self.action = action
        self.days = days
        self.since = since
        self.album = album
    }
}

extension FavoritesOrder {
    package var members: [(String, JSON)] {
        [
            ("action", .string(action.rawValue)), ("days", .days(days)), ("since", .optional(since)),
            ("album", .optional(album?.text)),
        ]
    }

    package init?(_ members: [String: JSONText]) {
        guard let action = members["action"]?.string.flatMap(Action.init), let days = members["days"]?.days,
            let album = members["album"].optional({ $0.string.flatMap(AlbumName.init) })
        else { return nil }
        self.init(action, days, since: members["since"]?.integer, album: album)
    }
}

/// A line that asks the service for something: one JSON object, with the version of the protocol.
package enum ServiceLine {
    /// A service of another version refuses the line. Raised with every change of what is said.
    package static let version = 11

    package static func asking(for work: String, _ members: [(String, JSON)] = []) -> JSON {
        .object([("version", .integer(version)), ("do", .string(work))] + members)
    }
}
