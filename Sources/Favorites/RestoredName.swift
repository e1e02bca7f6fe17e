internal import Files

/// By which names links are made again.
extension Name {
    /// Of a file that stood for a link: a picture of such a name would be started, or shown with the icon of a program. nil
    /// for other names.
    func withoutLauncher(leadingTo file: String?) -> Name? {
        let launcher = DesktopFile.suffix
        guard bytes.suffix(launcher.count).elementsEqual(launcher) else { return nil }
        let stem = bytes.dropLast(launcher.count)
        let suffix = file.flatMap { file in file.utf8.lastIndex(of: UInt8(ascii: ".")).map { Array(file.utf8[$0...]) } }
        guard let suffix, !stem.suffix(suffix.count).elementsEqual(suffix) else { return Name(stem) }
        return Name(stem + suffix)
    }

    /// The same for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(Self.longestNumbered))!
    }

    private static let longestNumbered = 240
}
