internal import Apod
package import Archive
package import Catalog
internal import Files

extension Catalog {
    /// The albums in which the mirror could change nothing, with the last error codes (errno(3)).
    package func unwritable() throws -> [Album: Int32] {
        let albums = try condition(.unwritable)?.members ?? [:]
        return Dictionary(
            albums.compactMap { path, number in
                guard let album = Album(Array(path.utf8)), let number = number.integer else { return nil }
                return (album, Int32(clamping: number))
            }, uniquingKeysWith: { $1 })
    }

    /// Returns whether they are others than before. Names that are not UTF-8 become texts.
    func setUnwritable(_ albums: [Album: Int32]) throws -> Bool {
        let members = albums.map { (String(decoding: $0.path, as: UTF8.self), JSON.integer(Int($1))) }
        let data = members.isEmpty ? nil : JSON.object(members.sorted { $0.0 < $1.0 })
        if try condition(.unwritable).map({ String(decoding: $0.bytes, as: UTF8.self) }) == data?.line { return false }
        try setCondition(.unwritable, data)
        return true
    }

    /// The things in the folder that are left alone: how many, and the first of them.
    package func leftAlone() throws -> LeftAlone {
        guard let json = try condition(.leftAlone) else { return LeftAlone() }
        let first = (json["first"]?.elements ?? []).compactMap { one -> (place: Place, why: UnrecognisedReason)? in
            guard let place = (one["link"]?.string).flatMap({ Place(path: Array($0.utf8)) }) else { return nil }
            return (place, (one["reason"]?.string).flatMap(UnrecognisedReason.init) ?? .file)
        }
        return LeftAlone(count: json["count"]?.integer ?? 0, first: first)
    }

    func setLeftAlone(_ things: [Place: UnrecognisedReason]) throws {
        let first = things.sorted { $0.key < $1.key }.prefix(LeftAlone.most).map { place, why in
            JSON.object([("link", .string("\(place)")), ("reason", .string(why.rawValue))])
        }
        let data = JSON.object([("count", .integer(things.count)), ("first", .array(first))])
        try setCondition(.leftAlone, things.isEmpty ? nil : data)
    }
}

/// The things in the favorites folder that are not understood.
package struct LeftAlone: Sendable {
    package var count = 0
    /// Sorted by place; of very many, the first thousand.
    package var first: [(place: Place, why: UnrecognisedReason)] = []

    static let most = 1000
}

/// Why something in the favorites folder is left alone.
package enum UnrecognisedReason: String, Sendable, CaseIterable {
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
