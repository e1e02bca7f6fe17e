internal import Apod
internal import Archive
internal import Files

/// What does not depend on any day.
enum Look {
    static let files: [(name: String, text: String)] = [
        (GalleryFolder.script, GeneratedFile.script + scriptText), ("gallery.css", GeneratedFile.style + styleText),
        ("icon.svg", GeneratedFile.icon + icon),
    ]

    /// Behind each address: what a browser keeps of another program's is not taken for this one's.
    static let version: String = {
        let text = files.map(\.text).joined() + "\(YearScript.version) \(TextScript.version)"
        return "?v=\(Digest(of: Array(text.utf8)).description.prefix(8))"
    }()

    private static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#101828"/>
        <circle cx="16" cy="17" r="8" fill="#f2c14e"/><circle cx="24" cy="7" r="2" fill="#fff"/></svg>

        """
}
