internal import Apod
internal import Archive
internal import Files

/// The gallery's files that do not depend on any day.
enum Look {
    /// The parts of the script, in the order in which they build on one another.
    private static let parts = [
        PackageResources.archive_js, PackageResources.words_js, PackageResources.pictures_js, PackageResources.wall_js,
        PackageResources.search_js, PackageResources.lists_js, PackageResources.day_js, PackageResources.viewer_js,
        PackageResources.gallery_js,
    ]

    /// Without comments and indentation.
    private static func script(_ source: [UInt8]) -> [UInt8] {
        var script = Array(GeneratedFile.script.utf8)
        for line in source.split(separator: UInt8(ascii: "\n")) {
            let words = line.drop { $0 == UInt8(ascii: " ") }
            if words.starts(with: "//".utf8) || words.starts(with: "/*".utf8) { continue }
            script += words + "\n".utf8
        }
        return script
    }

    static let files: [(name: String, bytes: [UInt8])] = [
        (GalleryFolder.script, script(Array(parts.joined()))),
        ("slideshow.js", script(PackageResources.slideshow_js)),
        // Loaded where `apod-mirror serve` serves the page.
        ("served.js", script(PackageResources.served_js)),
        ("gallery.css", Array(GeneratedFile.style.utf8) + PackageResources.gallery_css),
        ("icon.svg", Array(GeneratedFile.icon.utf8) + PackageResources.icon_svg),
    ]

    /// Appended to each address, so that a browser uses no cached file of another version.
    static let version: String = {
        let bytes = files.flatMap(\.bytes) + Array("\(YearScript.version) \(SearchScript.version)".utf8)
        return "?v=\(Digest(of: bytes).description.prefix(8))"
    }()
}
