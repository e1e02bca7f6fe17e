import Apod
import Files
package import Store

extension Catalog {
    /// The albums in which the mirror could change nothing, with the last error codes (errno(3)).
    package func unwritable() throws -> [String: Int] { try condition(.unwritable) ?? [:] }

    /// Returns whether they are others than before. Names that are not UTF-8 become texts.
    func setUnwritable(_ albums: [Album: Int32]) throws -> Bool {
        let new = Dictionary(albums.map { ($0.path.text, Int($1)) }) { $1 }
        if try condition(.unwritable) ?? [:] == new { return false }
        try setCondition(.unwritable, new.isEmpty ? nil : new)
        return true
    }

    /// The things in the folder that are left alone: how many, and the first of them.
    package func leftAlone() throws -> LeftAlone { try condition(.leftAlone) ?? LeftAlone() }

    func setLeftAlone(_ things: [Place: UnrecognisedReason]) throws {
        let first = things.sorted { $0.key < $1.key }.prefix(LeftAlone.most).map(LeftAlone.Thing.init)
        try setCondition(.leftAlone, things.isEmpty ? nil : LeftAlone(count: things.count, first: first))
    }
}

/// The things in the favorites folder that are not understood.
package struct LeftAlone: Sendable, Codable {
    package struct Thing: Sendable, Codable {
        package let place: Place
        package let why: UnrecognisedReason
    }

    package var count = 0
    /// Sorted by place; of very many, the first thousand.
    package var first: [Thing] = []

    static let most = 1000
}

/// Why something in the favorites folder is left alone.
package enum UnrecognisedReason: String, Sendable, CaseIterable, Codable {
    /// A file that is not one of the mirror's pictures.
    case file
    /// A file that may be a copy of a picture, and is still to be compared.
    case undecided
    /// A temporary file of some program.
    case temporary
    case hidden
    case hiddenFolder = "hidden-folder"
    /// Neither a file nor a link.
    case special
    /// A link out of the mirror, or a broken one.
    case outside
    /// A broken link to a name that no picture here has.
    case unlike
    /// A link to a date on which there can be no picture.
    case noDay = "no-day"
    /// A link to a day after tomorrow.
    case toCome = "to-come"
    case linkToFolder = "link-to-folder"
    case linkToOther = "link-to-other"
    /// A link to a file in the mirror that is none of its pictures.
    case linkToFile = "link-to-file"
    case tooDeep = "too-deep"
    /// A folder in which something is mounted.
    case mounted
}
