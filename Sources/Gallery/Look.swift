import Apod
import Files
import Store

/// The gallery's files that do not depend on any day.
enum Look {
    static let files: [(name: String, bytes: [UInt8])] = [
        // In the order in which its parts build on one another.
        file(
            GalleryFolder.script, PackageResources.archive_js, PackageResources.words_js, PackageResources.pictures_js,
            PackageResources.wall_js, PackageResources.walls_js, PackageResources.day_js, PackageResources.gallery_js),
        // After the first view, and with the first picture in the whole window.
        file(
            "page.js", PackageResources.motion_js, PackageResources.page_js, PackageResources.others_js,
            PackageResources.search_js, PackageResources.calendar_js, PackageResources.lists_js,
            PackageResources.help_js),
        file("viewer.js", PackageResources.gestures_js, PackageResources.viewer_js, PackageResources.frame_js),
        file("slideshow.js", PackageResources.slideshow_js),
        // Where `apod-mirror serve` serves the page.
        file("served.js", PackageResources.served_js),
        file("gallery.css", PackageResources.gallery_css, after: GeneratedFile.style),
        file("viewer.css", PackageResources.viewer_css, after: GeneratedFile.style),
        file("icon.svg", PackageResources.icon_svg, after: GeneratedFile.icon),
    ]

    /// Appended to each address, so that a browser uses no cached file of another version.
    static let version: String = {
        let bytes = files.flatMap(\.bytes) + "\(Volume.version)".bytes
        return "?v=\(Digest(of: bytes).description.prefix(8))"
    }()

    /// Without comments and indentation.
    private static func file(
        _ name: String, _ parts: [UInt8]..., after mark: String = GeneratedFile.script
    ) -> (name: String, bytes: [UInt8]) {
        var bytes = mark.bytes
        for line in Array(parts.joined()).split(separator: "\n") {
            let words = line.drop { $0 == " " }
            if words.starts(with: "//".utf8) || words.starts(with: "/*".utf8) { continue }
            bytes += words + "\n".utf8
        }
        return (name, bytes)
    }
}
