/// The name of a list of pictures, as settings, folders and commands have it: `hubble`.
package struct ListName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String

    private static let letters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789-")
    private static let longest = 31

    package init?(_ text: some StringProtocol) {
        // APOD is the list of this name.
        guard text != "apod", 1...Self.longest ~= text.utf8.count, text.utf8.first != "-",
            text.utf8.allSatisfy(Self.letters.contains)
        else { return nil }
        description = String(text)
    }

    private static let ofRoot: Set = ["favorites", "frame", "gallery", "latest", "lists", "search", "today"]

    /// Whether something in the mirror's root is called so: no list is to be.
    package var isOfRoot: Bool { Self.ofRoot.contains(description) || FileName.isYear(description) }

    /// The folder of all lists, in each folder that has something of theirs.
    package static let folder = "lists"

    /// The path of the list's folder, or of one in it.
    package func path(_ inside: String = "") -> String {
        "\(Self.folder)/\(self)" + (inside.isEmpty ? "" : "/\(inside)")
    }

    /// The list whose folder a path leads to.
    package init?(atEndOf path: ArraySlice<ArraySlice<UInt8>>) {
        guard let name = path.last, path.dropLast().last?.elementsEqual(Self.folder.utf8) == true else { return nil }
        self.init(name.text)
    }

    package static func < (a: ListName, b: ListName) -> Bool { a.description < b.description }
}
