package import Apod
package import Store

/// Most tests are about days of APOD alone.
extension Link {
    package init(_ place: Place, to day: Day, file: String? = nil) { self.init(place, to: .day(day), file: file) }

    package var day: Day { key.day! }
}

extension Favorite {
    package var day: Day { key.day! }
}

extension FileName {
    package var day: Day { key.day! }
}

extension PictureKey {
    package init(_ day: Day, _ number: Int = 1) { self.init(.day(day), number) }

    package var day: Day { key.day! }
}

extension Thumbnail {
    package var day: Day { key.day! }
}

extension Item {
    package var day: Day { key.day! }
}

extension Picture {
    package init(
        day: Day, title: String, explanation: String, credit: String? = nil, permalink: WebAddress? = nil,
        media: Media, further: [FurtherPicture] = [], record: JSONText
    ) {
        self.init(
            key: .day(day), title: title, explanation: explanation, credit: credit, permalink: permalink, media: media,
            further: further, record: record)
    }
}

extension Candidate {
    package var day: Day { key.day! }
}

extension FormerVersion {
    package var day: Day { key.day! }
}

extension Archive {
    package func prune(
        _ days: [Day], at now: Int, unless isWanted: @escaping Pruning.Wanting = { _ in false }
    ) async throws -> Pruning.Deleted {
        try await prune(days.map(Key.day), at: now, unless: isWanted)
    }
}

extension KeyLocks {
    package func lockIfFree(_ day: Day) -> Bool { lockIfFree(.day(day)) }
    package func lock(_ day: Day) async throws(CancellationError) { try await lock(.day(day)) }
    package func unlock(_ day: Day) { unlock(.day(day)) }
}

extension Catalog {
    package func item(of day: Day) throws -> Item? { try item(of: .day(day)) }

    /// Oldest first.
    package func storedDays() throws -> [Item] { try stored(in: .days(Day.all)) }

    package func versions(of day: Day) throws -> [FormerVersion] { try versions(in: .days(day...day))[.day(day)] ?? [] }
}

extension KnownFavorites {
    package func favorite(_ day: Day) -> Favorite? { favorite(.day(day)) }
    package func isFavorite(_ day: Day) -> Bool { isFavorite(.day(day)) }
    package func isProtected(_ day: Day, at now: Int) -> Bool { isProtected(.day(day), at: now) }
}
