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

    /// `2026-09-16-480.webp`; of the second picture `2026-09-16-2-480.webp`.
    package func name(of picture: DayPicture) -> String {
        "\(picture.day)\(picture.number > 1 ? "-\(picture.number)" : "")-\(suffix)"
    }

    /// The path below the root.
    package func path(of picture: DayPicture) -> String {
        "\(Self.folder)/\(picture.day.year)/\(name(of: picture))"
    }

    package func path(of day: Day) -> String { path(of: DayPicture(day)) }

    /// The picture in the name of a smaller copy; nil for any other name.
    package static func picture(in name: String) -> DayPicture? {
        guard let day = Day(String(decoding: name.utf8.prefix(10), as: UTF8.self)) else { return nil }
        let pictures = (1...FileName.furtherNumbers.upperBound).lazy.map { DayPicture(day, $0) }
        return pictures.first { picture in allCases.contains { $0.name(of: picture) == name } }
    }
}
