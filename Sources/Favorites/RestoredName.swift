package import Catalog
internal import Files

/// By which names links are made again.
extension Name {
    /// Of a file that stood for a link: a picture of such a name would be started, or shown with the icon of a program. nil
    /// for other names.
    func withoutLauncher(leadingTo file: String?) -> Name? {
        guard let stem = launcherStem else { return nil }
        let suffix = file.flatMap { file in file.utf8.lastIndex(of: UInt8(ascii: ".")).map { Array(file.utf8[$0...]) } }
        guard let suffix, !stem.suffix(suffix.count).elementsEqual(suffix) else { return Name(stem) }
        return Name(stem + suffix)
    }

    /// The same for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(Self.longestNumbered))!
    }

    private static let longestNumbered = 240

    /// Whether a link that had this name can have been made again by that one.
    fileprivate func isRestored(as other: Name) -> Bool {
        if other == self { return true }
        let digits = other.bytes.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        let rest = other.bytes.dropFirst(digits.count)
        let isNumbered = !digits.isEmpty && rest.first == UInt8(ascii: " ")
        let name = isNumbered ? rest.dropFirst() : other.bytes
        if isNumbered, name.elementsEqual(bytes.suffix(Self.longestNumbered)) { return true }
        guard let stem = launcherStem, name.starts(with: stem) else { return false }
        return name.count == stem.count || name.dropFirst(stem.count).first == UInt8(ascii: ".")
    }

    private var launcherStem: ArraySlice<UInt8>? {
        let suffix = DesktopFile.suffix
        return bytes.suffix(suffix.count).elementsEqual(suffix) ? bytes.dropLast(suffix.count) : nil
    }
}

extension Place {
    /// Whether a link that was here can have been made again there.
    package func isRestored(at other: Place) -> Bool { album == other.album && name.isRestored(as: other.name) }
}
