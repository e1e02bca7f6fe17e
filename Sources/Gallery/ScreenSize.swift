package import Apod
internal import Files

/// The smaller copies of a day's picture, in `gallery/2026`.
package enum ScreenSize: CaseIterable, Sendable {
    /// For walls.
    case small
    /// For a day's page.
    case large

    private var suffix: String {
        switch self {
        case .small: "480.webp"
        case .large: "1280.jpg"
        }
    }

    package func name(of day: Day) -> String { "\(day)-\(suffix)" }

    /// Below the root.
    package func path(of day: Day) -> String { "gallery/\(day.year)/\(name(of: day))" }

    /// Whether one of them is called so.
    static func isName(_ name: String) -> Bool {
        guard let day = Day(String(decoding: name.utf8.prefix(10), as: UTF8.self)) else { return false }
        return allCases.contains { $0.name(of: day) == name }
    }

    /// Those that there are of a year's days.
    static func names(in gallery: Folder, year: Int) throws(DiskError) -> Set<String> {
        guard let folder = try gallery.folder("\(year)") else { return [] }
        return Set(try folder.names())
    }
}
