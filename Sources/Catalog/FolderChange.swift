package import Apod

/// What something in the favorites folder is.
package enum Meaning: Sendable, Equatable {
    /// A link, or what counts as one, to this file of a day; nil where it only names the day.
    case day(Day, file: String? = nil)
    /// Not the mirror's, and why.
    case unrecognised(String)

    package var day: Day? { if case .day(let day, _) = self { day } else { nil } }
    package var file: String? { if case .day(_, let file) = self { file } else { nil } }
}

/// A link in the favorites folder, or one that was there.
package struct Link: Hashable, Sendable {
    package let place: Place
    package let day: Day
    /// Of the day, that it leads to; nil where it only names the day.
    package let file: String?

    package init(_ place: Place, to day: Day, file: String? = nil) {
        self.place = place
        self.day = day
        self.file = file
    }
}

/// How the favorites folder differs from what is remembered of it.
package struct FolderChange: Sendable {
    package var seen: [(place: Place, meaning: Meaning)] = []
    /// Links that are not there any more, in a way that may not have been meant.
    package var vanished: [Link] = []
    /// Taken away, and meant so.
    package var gone: [Place] = []
    /// What the folders are that were looked at.
    package var fingerprints: [Album: String] = [:]

    package init() {}

    package var isEmpty: Bool { seen.isEmpty && vanished.isEmpty && gone.isEmpty && fingerprints.isEmpty }
}
