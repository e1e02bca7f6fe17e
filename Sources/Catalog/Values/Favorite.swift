package import Apod
internal import Files

/// A day that is a favorite, or was one.
package struct Favorite: Sendable {
    package let day: Day
    /// In seconds since 1970.
    package let added: Int
    /// When it ended; nil while it is a favorite.
    package internal(set) var ended: Int?
    /// nil while nothing of the day is in the tree.
    package let title: String?
    /// The file to look at (or the JSON alone), below the root; nil while still to come.
    package let picture: String?
    package internal(set) var links: [Place]
    /// The links that went within a year.
    package internal(set) var removed: [RemovedLink]
    /// The files' names, for links that lead to another file than `picture`.
    package internal(set) var files: [Place: String]

    package init(
        day: Day, added: Int, ended: Int? = nil, title: String? = nil, picture: String? = nil, links: [Place] = [],
        removed: [RemovedLink] = [], files: [Place: String] = [:]
    ) {
        self.day = day
        self.added = added
        self.ended = ended
        self.title = title
        self.picture = picture
        self.links = links
        self.removed = removed
        self.files = files
    }

    func with(_ links: [(link: Link, went: Int?)]) -> Favorite {
        var favorite = self
        for (link, went) in links {
            if let went {
                favorite.removed.append(RemovedLink(link, went: went))
                continue
            }
            favorite.links.append(link.place)
            if picture.map({ $0 != "\(day.folder)/\(link.file ?? "")" }) ?? true {
                favorite.files[link.place] = link.file
            }
        }
        return favorite
    }

    package var albums: [String] {
        let albums = Set(links.map(\.album)).subtracting([.top])
        return albums.map { String(decoding: $0.path, as: UTF8.self) }.sorted()
    }
}

/// A change in the history of the favorites.
package struct HistoryEntry: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case added, removed
        /// Added again within a year: the favorite keeps its date.
        case restored
        /// The mirror has rewritten the link.
        case adopted
    }

    package let moment: Int
    package let day: Day
    package let kind: Kind
    /// The link's path below the favorites folder.
    package let link: String?
    /// The former target of an adopted link.
    package let was: String?

    package init(_ kind: Kind, _ day: Day, at moment: Int, link: String?, was: String? = nil) {
        self.moment = moment
        self.day = day
        self.kind = kind
        self.link = link
        self.was = was
    }
}

/// The favorites in numbers.
package struct FavoritesSummary: Sendable {
    /// Favorites whose picture is here.
    package var here = 0
    /// Favorites whose picture is still to come.
    package var pending = 0
    package var unrecognised = 0
}

/// Links that went together.
package struct LinkLoss: Sendable, Equatable {
    package let links: Int
    /// When the first of the links went, in seconds since 1970.
    package let since: Int

    package init(links: Int, since: Int) {
        self.links = links
        self.since = since
    }

    /// Whether there are enough links to tell the person.
    var isLarge: Bool { links > 3 }

    /// Both losses as one; nil if more than a minute lies between them.
    func joined(by other: LinkLoss) -> LinkLoss? {
        guard abs(other.since - since) <= 60 else { return nil }
        return LinkLoss(links: links + other.links, since: min(since, other.since))
    }
}

/// A file in its place in the tree.
package struct TreeFile: Sendable, Equatable {
    package let day: Day
    package let name: String
    package let sha256: Digest
}
