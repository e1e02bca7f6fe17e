internal import Files

/// Names for links that the mirror makes.
extension Name {
    func hasSuffix(_ suffix: String) -> Bool { bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }

    /// The name with a number in front; unchanged for 1.
    func numbered(_ number: Int) -> Name {
        number == 1 ? self : Name("\(number) ".utf8 + bytes.suffix(Self.longestNumbered))!
    }

    private static let longestNumbered = 240
}
