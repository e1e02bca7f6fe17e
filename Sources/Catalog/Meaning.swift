package import Apod

/// What something in the favorites folder is.
package enum Meaning: Sendable, Equatable {
    /// A link, or what counts as one, to this file of a day; nil where it only names the day. `isLink`: seen to be a
    /// symbolic link. A copy is none, and what nobody has looked at yet.
    case day(Day, file: String? = nil, isLink: Bool = false)
    /// Not the mirror's, and why.
    case unrecognised(String)

    package var day: Day? { if case .day(let day, _, _) = self { day } else { nil } }
    package var file: String? { if case .day(_, let file, _) = self { file } else { nil } }
    package var isLink: Bool { if case .day(_, _, let isLink) = self { isLink } else { false } }

    package var asLink: Meaning {
        if case .day(let day, let file, _) = self { .day(day, file: file, isLink: true) } else { self }
    }
}
