package import Apod

/// A day, or an item of another list, that is a favorite or was one.
package struct Favorite: Sendable {
    package let key: Key
    /// What its list calls an item, where that is known.
    package internal(set) var id: String?
    /// In seconds since 1970.
    package let added: Int
    /// When it ended; nil while it is a favorite.
    package var ended: Int?
    /// nil while nothing of it is in the tree.
    package internal(set) var title: String?
    /// The file to look at (or the JSON alone), below the root; nil while still to come.
    package internal(set) var picture: String?
    package var links: [Place] = []
    /// The links that went within a year.
    package var removed: [RemovedLink] = []
    /// The files' names, for links that lead to another file than `picture`.
    package internal(set) var files: [Place: String] = [:]

    package var albums: [String] { links.albumNames }
}
