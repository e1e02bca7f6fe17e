/// The name of a list of pictures, as settings, folders and commands have it: `hubble`.
package struct ListName: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let description: String

    private static let letters = ASCIISet("abcdefghijklmnopqrstuvwxyz0123456789-")
    private static let longest = 31

    package init?(_ text: some StringProtocol) {
        guard 1...Self.longest ~= text.utf8.count, text.utf8.first != UInt8(ascii: "-"),
            text.utf8.allSatisfy(Self.letters.contains)
        else { return nil }
        description = String(text)
    }

    package static func < (a: ListName, b: ListName) -> Bool { a.description < b.description }
}
