package import Apod

/// One picture of a list, with its texts cleaned.
package struct ListItem: Sendable, Equatable {
    package var id: String
    package var title: String
    package var explanation: String
    /// Like `1994-05-25`, from any year.
    package var date: String?
    package var credit: String?
    package var licence: String?
    package var picture: Source
    package var permalink: WebAddress?
    package var alt: String?
    /// The item as it came.
    package var record: JSONText

    private static let claims = [
        "copyright", "©", "creative commons", "creativecommons", "cc by", "cc-by", "rights reserved",
    ]
    private static let releases = ["public domain", "publicdomain", "cc0"]

    /// Whether the list says that somebody holds rights, or that nobody does; nil where it says neither.
    package var isCopyrighted: Bool? {
        let licence = (licence ?? "").lowercased()
        if Self.releases.contains(where: licence.contains) {
            // “Not in the public domain”
            return ["not ", "copyright", "©"].contains(where: licence.contains) ? nil : false
        }
        let words = "\(licence) \((credit ?? "").lowercased())"
        return Self.claims.contains(where: words.contains) ? true : nil
    }
}
