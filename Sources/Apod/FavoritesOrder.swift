/// A change of the favorites that a command or the web asks for. It is made in the folder, as a person would make it.
package struct FavoritesOrder: Sendable, Equatable, Codable {
    /// `undo`: makes again the links with which the favorites ended.
    package enum Action: String, Sendable, CaseIterable, Codable { case add, remove, restore, undo }

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

/// What the service is asked, by commands and by the web: one line of JSON, with the version of the protocol.
package struct ServiceLine<Request: Encodable>: Encodable {
    private let version: Int
    private let request: Request

    package init(_ request: Request) { (version, self.request) = (serviceVersion, request) }

    package var bytes: [UInt8] { JSON(self).compact + [UInt8(ascii: "\n")] }
}

/// A service of another version refuses the line. Raised with every change of what is said.
package let serviceVersion = 13
