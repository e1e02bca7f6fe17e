package import Apod
internal import Files

/// A picture that somebody wants to keep.
package struct Favorite: Sendable {
    package let day: Day
    /// Since when, in seconds since 1970.
    package let added: Int
    /// When it ended; nil for one that is a favorite.
    package internal(set) var ended: Int?
    /// nil while nothing of the day is in the tree.
    package let title: String?
    /// The file to look at, below the root; nil while it is still to come.
    package let picture: String?
    /// The upstream has no such day.
    package internal(set) var isAbsent = false
    package internal(set) var links: [Place]
    /// Those that went within a year.
    package internal(set) var removed: [RemovedLink]
    /// The file of those that lead to another one than `picture`, where that is known.
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

    func with(_ links: [Link], removed: [RemovedLink]) -> Favorite {
        var favorite = self
        favorite.links = links.map(\.place)
        favorite.removed = removed
        for link in links where picture.map({ $0 != "\(day.folder)/\(link.file ?? "")" }) ?? true {
            favorite.files[link.place] = link.file
        }
        return favorite
    }

    package var albums: [String] {
        let albums = Set(links.map(\.album)).subtracting([.top])
        return albums.map { String(decoding: $0.path, as: UTF8.self) }.sorted()
    }
}

/// A favorite that came or went, or a link that was adopted.
package struct HistoryEntry: Sendable, Equatable {
    package enum Kind: String, Sendable {
        case added, removed
        /// Added again within a year: it keeps its date.
        case restored
        /// The mirror has rewritten the link.
        case adopted
    }

    package let moment: Int
    package let day: Day
    package let kind: Kind
    /// The link that did it.
    package let link: String?
    /// What an adopted link said before.
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
    /// Those whose picture is still to come.
    package var pending = 0
    package var unrecognised = 0
}

/// Links that went together.
package struct LinkLoss: Sendable, Equatable {
    package let links: Int
    /// When the first of them went, in seconds since 1970.
    package let since: Int

    package init(links: Int, since: Int) {
        self.links = links
        self.since = since
    }

    /// More than a few.
    package var isLarge: Bool { links > 3 }

    /// With others, if they went within a minute; nil if they did not.
    package func joined(by other: LinkLoss) -> LinkLoss? {
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
