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

    /// `2026-09-16-480.webp`; of the second picture `2026-09-16-2-480.webp`; of an item `00c0ffee00c0ffee-480.webp`.
    package func name(of picture: DayPicture) -> String {
        "\(picture.day.key)\(picture.number > 1 ? "-\(picture.number)" : "")-\(suffix)"
    }

    /// The folder below `gallery` that has a day's copies, or those of a list's items.
    package static func folder(of day: Day, in list: ListName?) -> String {
        list?.path() ?? "\(day.year)"
    }

    /// The path below the root.
    package func path(of picture: DayPicture, in list: ListName? = nil) -> String {
        "\(Self.folder)/\(Self.folder(of: picture.day, in: list))/\(name(of: picture))"
    }

    package func path(of day: Day, in list: ListName? = nil) -> String { path(of: DayPicture(day), in: list) }

    package static func paths(of picture: DayPicture, in list: ListName? = nil) -> [String] {
        allCases.map { $0.path(of: picture, in: list) }
    }

    /// The day, or the item, with whose key a name begins; nil for any other name.
    package static func day(atStartOf name: some Collection<UInt8>) -> Day? {
        func start(_ count: Int) -> String { name.prefix(count).text }
        return Day(start(10)) ?? Day(keyOfItem: start(Day.keyLength))
    }

    /// The picture in the name of a smaller copy, of a day or an item; nil for any other name.
    package static func picture(in name: String) -> DayPicture? {
        guard let day = day(atStartOf: name.utf8), name.utf8.starts(with: "\(day.key)-".utf8) else { return nil }
        let pictures = (1...FileName.furtherNumbers.upperBound).lazy.map { DayPicture(day, $0) }
        return pictures.first { picture in allCases.contains { $0.name(of: picture) == name } }
    }
}
