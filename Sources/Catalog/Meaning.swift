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
