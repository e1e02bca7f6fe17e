/// The name of an album that comes from the web: one folder in `favorites/`, visible, safe on every system, no path.
package struct AlbumName: Hashable, Sendable {
    package let text: String

    private static let longest = 200
    /// Letters and emoji are joined by them.
    private static let joiners: Set<Unicode.Scalar> = ["\u{200c}", "\u{200d}"]

    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard 1...Self.longest ~= text.utf8.count, let first = scalars.first, let last = scalars.last,
            ![first, last].contains(where: { $0 == "." || Text.isSpace($0) || Text.isInvisible($0) }),
            !scalars.contains(where: { Text.isInvisible($0) && !Self.joiners.contains($0) }),
            !text.utf8.contains(where: FileName.forbidden.contains)
        else { return nil }
        self.text = text
    }
}
