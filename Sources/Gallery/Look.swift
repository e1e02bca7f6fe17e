internal import Archive

/// What does not depend on any day.
enum Look {
    static let files: [(name: String, text: String)] = [
        (GalleryFolder.script, GeneratedFile.script + scriptText), ("gallery.css", GeneratedFile.style + styleText),
        ("icon.svg", GeneratedFile.icon + icon),
    ]

    private static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="6" fill="#101828"/>
        <circle cx="16" cy="17" r="8" fill="#f2c14e"/><circle cx="24" cy="7" r="2" fill="#fff"/></svg>

        """
}
