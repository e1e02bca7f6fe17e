internal import Apod
internal import Archive
internal import Files

/// The gallery's files that do not depend on any day.
enum Look {
    /// The parts of the script, in the order in which they build on one another.
    private static let parts = [
        PackageResources.archive_js, PackageResources.words_js, PackageResources.pictures_js, PackageResources.wall_js,
        PackageResources.walls_js, PackageResources.day_js, PackageResources.gallery_js,
    ]
    /// Those that come with the first day's page, and with its picture in the whole window.
    private static let page = [PackageResources.motion_js, PackageResources.page_js]
    private static let viewer = [PackageResources.gestures_js, PackageResources.viewer_js, PackageResources.frame_js]

    /// A style without spaces that it does not need.
    private static func style(_ source: [UInt8]) -> [UInt8] {
        let signs = [
            (": ", ":"), (", ", ","), (" {", "{"), ("; ", ";"), (";\n", ";"), ("{\n", "{"), (";}", "}"), ("}\n", "}"),
        ]
        let text = String(decoding: short(source, after: GeneratedFile.style), as: UTF8.self)
        return Array(signs.reduce(text) { $0.replacing($1.0, with: $1.1) }.utf8)
    }

    /// Without comments and indentation.
    private static func short(_ source: [UInt8], after mark: String) -> [UInt8] {
        var short = Array(mark.utf8)
        for line in source.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if words.starts(with: "//".utf8) || words.starts(with: "/*".utf8) { continue }
            short += words + "\n".utf8
        }
        return short
    }

    private static func script(_ source: [UInt8]) -> [UInt8] { short(source, after: GeneratedFile.script) }

    static let files: [(name: String, bytes: [UInt8])] = [
        (GalleryFolder.script, script(Array(parts.joined()))),
        ("page.js", script(Array(page.joined()))),
        ("viewer.js", script(Array(viewer.joined()))),
        ("search.js", script(PackageResources.search_js)),
        ("calendar.js", script(PackageResources.calendar_js)),
        ("help.js", script(PackageResources.help_js)),
        ("others.js", script(PackageResources.others_js)),
        // Loaded with another list.
        ("lists.js", script(PackageResources.lists_js)),
        ("slideshow.js", script(PackageResources.slideshow_js)),
        // Loaded where `apod-mirror serve` serves the page.
        ("served.js", script(PackageResources.served_js)),
        ("gallery.css", style(PackageResources.gallery_css)),
        ("viewer.css", style(PackageResources.viewer_css)),
        ("icon.svg", Array(GeneratedFile.icon.utf8) + PackageResources.icon_svg),
    ]

    /// Appended to each address, so that a browser uses no cached file of another version.
    static let version: String = {
        let bytes = files.flatMap(\.bytes) + Array("\(YearScript.version) \(SearchScript.version)".utf8)
        return "?v=\(Digest(of: bytes).description.prefix(8))"
    }()
}
