package import Apod
import Files

/// A link in the favorites folder, or one that was there.
package struct Link: Hashable, Sendable {
    package let place: Place
    package let key: Key
    /// The file that it leads to; nil where it only names the day, or the item.
    package let file: String?

    package init(_ place: Place, to key: Key, file: String? = nil) {
        (self.place, self.key, self.file) = (place, key, file)
    }
}

/// A link that is there, as the history has it.
package struct KnownLink: Sendable, Equatable {
    package let link: Link
    /// Whether it was seen to be a symbolic link.
    package let isLink: Bool
    /// In seconds since 1970. A link that was moved keeps it.
    package let came: Int
    /// The hash of what it said before the mirror wrote it; nil where that is not known.
    package let said: Int?

    package init(_ link: Link, isLink: Bool, came: Int, said: Int? = nil) {
        (self.link, self.isLink, self.came, self.said) = (link, isLink, came, said)
    }
}

/// A link that went.
package struct RemovedLink: Sendable, Equatable {
    package let link: Link
    /// In seconds since 1970.
    package let went: Int

    package init(_ link: Link, went: Int) { (self.link, self.went) = (link, went) }
}

/// Links that went together, more than a few.
package struct LinkLoss: Sendable, Equatable, Codable {
    /// How many links.
    package let count: Int
    /// When the first of them went.
    package let since: Moment

    package init(links: Int, since: Int) { (count, self.since) = (links, Moment(since)) }
}
