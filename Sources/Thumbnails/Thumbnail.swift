package import Apod

/// What came of one day's picture.
package struct Thumbnail: Sendable, Equatable {
    package enum Outcome: Sendable, Equatable {
        /// Their paths below the root.
        case made([String], bytes: Int)
        /// They were there already.
        case kept([String])
        /// None can be made of this picture, which is not tried again.
        case refused(why: String)
        /// Not this time.
        case failed(why: String)
    }

    package let day: Day
    package let outcome: Outcome
}

/// The files that are made of each picture, for screens.
package enum GallerySize: CaseIterable, Sendable {
    /// For grids.
    case small
    /// For phones and web pages.
    case large

    package static let folder = "gallery"

    var suffix: String {
        switch self {
        case .small: "480.webp"
        case .large: "1280.jpg"
        }
    }

    func name(of day: Day) -> String { "\(day)-\(suffix)" }

    /// Below the root.
    func path(of day: Day) -> String { "\(Self.folder)/\(day.year)/\(name(of: day))" }

    /// The day of a file that is called like one of them; nil for any other.
    static func day(of name: String) -> Day? {
        guard let day = Day(name.prefix(10)), allCases.contains(where: { $0.name(of: day) == name }) else { return nil }
        return day
    }
}
