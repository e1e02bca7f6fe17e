internal import Files

/// Names for links that the mirror makes.
extension Name {
    /// The name for a link in place of a `.desktop` file; nil for other names. File managers would take a picture with
    /// that suffix for a program.
    func withoutLauncher(leadingTo file: String?) -> Name? {
        guard hasSuffix(DesktopFile.suffix) else { return nil }
        let stem = bytes.dropLast(DesktopFile.suffix.utf8.count)
        let suffix = file.flatMap { file in file.utf8.lastIndex(of: UInt8(ascii: ".")).map { Array(file.utf8[$0...]) } }
        guard let suffix, !stem.suffix(suffix.count).elementsEqual(suffix) else { return Name(stem) }
        return Name(stem + suffix)
    }

    func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The name with a number in front; unchanged for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(Self.longestNumbered))!
    }

    private static let longestNumbered = 240
}
