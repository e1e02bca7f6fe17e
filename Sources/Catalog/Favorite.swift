package import Apod

/// A picture that somebody wants to keep.
package struct Favorite: Sendable {
    package let day: Day
    package internal(set) var added: Int
    /// When it ended; nil for one that is a favorite.
    package internal(set) var ended: Int?
    /// nil while nothing of the day is in the tree.
    package let title: String?
    /// The file to look at, below the root; nil while it is still to come.
    package let picture: String?
    /// The upstream has no such day.
    package internal(set) var isAbsent = false
    package internal(set) var links: [Place]
    /// Those of its links that went in a way that may not have been meant.
    package internal(set) var vanished: [Place]
    /// The file of those that lead to another one than `picture`, where that is known.
    package internal(set) var files: [Place: String]

    package init(
        day: Day, added: Int, title: String?, picture: String?, links: [Place] = [], vanished: [Place] = [],
        files: [Place: String] = [:]
    ) {
        self.day = day
        self.added = added
        self.title = title
        self.picture = picture
        self.links = links
        self.vanished = vanished
        self.files = files
    }

    func with(_ links: [Link], vanished: [Link]) -> Favorite {
        var favorite = self
        favorite.links = links.map(\.place)
        favorite.vanished = vanished.map(\.place)
        for link in links + vanished where picture.map({ $0 != "\(day.folder)/\(link.file ?? "")" }) ?? true {
            favorite.files[link.place] = link.file
        }
        return favorite
    }

    package var albums: [String] {
        let albums = Set(links.map(\.album)).subtracting([.top])
        return albums.map { String(decoding: $0.path, as: UTF8.self) }.sorted()
    }
}

/// A favorite that came or went. One `returned` that had been removed: it turned out that this was not meant. One whose
/// links have `vanished` stays a favorite; with a link again, it is `restored`.
package struct HistoryEntry: Sendable {
    package enum Kind: String, Sendable { case added, removed, forgotten, returned, vanished, restored }

    package let moment: Int
    package let day: Day
    package let kind: Kind
    /// The link that did it, where that is known.
    package let place: Place?
}

/// The favorites in numbers.
package struct FavoritesSummary: Sendable {
    /// Favorites whose picture is here.
    package var here = 0
    /// Those whose picture is still to come.
    package var pending = 0
    /// Those of which no link is left, though nobody has said that this was meant.
    package var vanished = 0
    package var unrecognised = 0
}

/// A file in its place in the tree.
package struct TreeFile: Sendable {
    package let day: Day
    package let name: String
    package let sha256: Digest
}
