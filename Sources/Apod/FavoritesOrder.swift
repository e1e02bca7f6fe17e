/// A change of the favorites that a command or the web asks for. It is made in the folder, as a person would make it.
package struct FavoritesOrder: Sendable, Equatable, Codable {
    /// `undo`: makes again the links with which the favorites ended.
    package enum Action: String, Sendable, CaseIterable, Codable { case add, remove, restore, undo }

    package let action: Action
    package let keys: Set<Key>
    /// For `restore`: the links that went since this time, in seconds since 1970.
    package let since: Int?
    /// For `add` and `remove`: the album that they are put in or taken out of.
    package let album: AlbumName?

    package init(_ action: Action, _ keys: Set<Key>, since: Int? = nil, album: AlbumName? = nil) {
        self.action = action
        self.keys = keys
        self.since = since
        self.album = album
    }
}
