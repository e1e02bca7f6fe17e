internal import Apod
internal import Archive
internal import Files

/// The gallery's files that do not depend on any day.
enum Look {
    static let files: [(name: String, bytes: [UInt8])] = [
        (GalleryFolder.script, Array(GeneratedFile.script.utf8) + PackageResources.gallery_js),
        ("gallery.css", Array(GeneratedFile.style.utf8) + PackageResources.gallery_css),
        ("icon.svg", Array(GeneratedFile.icon.utf8) + PackageResources.icon_svg),
    ]

    /// Appended to each address, so that a browser uses no cached file of another version.
    static let version: String = {
        let bytes = files.flatMap(\.bytes) + Array("\(YearScript.version) \(SearchScript.version)".utf8)
        return "?v=\(Digest(of: bytes).description.prefix(8))"
    }()
}
