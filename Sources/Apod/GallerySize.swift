/// The smaller copies that are made of each picture.
package enum GallerySize: CaseIterable, Sendable {
    package static let folder = "gallery"

    /// For grids.
    case small
    /// For phones and web pages.
    case large

    private var suffix: String {
        switch self {
        case .small: "480.webp"
        case .large: "1280.jpg"
        }
    }

    package func name(of day: Day) -> String { "\(day)-\(suffix)" }

    /// The path below the root.
    package func path(of day: Day) -> String { "\(Self.folder)/\(day.year)/\(name(of: day))" }

    /// The day in the name of a smaller copy; nil for any other name.
    package static func day(of name: String) -> Day? {
        guard let day = Day(String(decoding: name.utf8.prefix(10), as: UTF8.self)),
            allCases.contains(where: { $0.name(of: day) == name })
        else { return nil }
        return day
    }
}
