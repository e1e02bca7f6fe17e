package import Apod

/// The days that have files in the tree, and which of them are deleted when there are to be fewer.
package struct PruneCandidates: Sendable {
    package struct Candidate: Sendable, Equatable {
        package let day: Day
        package let title: String
        /// Of its files; its JSON stays.
        package let bytes: Int
        /// Or was one not long ago.
        package var isFavorite: Bool

        package init(day: Day, title: String, bytes: Int, isFavorite: Bool) {
            self.day = day
            self.title = title
            self.bytes = bytes
            self.isFavorite = isFavorite
        }
    }

    /// Oldest first.
    package private(set) var candidates: [Candidate]
    /// Of all files and all JSON.
    package let bytes: Int
    /// The day of the newest picture. It stays, and so does what is newer.
    package let latest: Day?

    package init(candidates: [Candidate], bytes: Int, latest: Day?) {
        self.candidates = candidates
        self.bytes = bytes
        self.latest = latest
    }

    /// With more favorites than those that are known as such.
    package func with(_ favorites: Set<Day>) -> PruneCandidates {
        var pruneCandidates = self
        for index in candidates.indices where favorites.contains(candidates[index].day) {
            pruneCandidates.candidates[index].isFavorite = true
        }
        return pruneCandidates
    }

    /// The oldest days: all that are before one, and so many more that no more bytes are left than there may be.
    package func surplus(before first: Day?, atMost limit: Int?) -> [Candidate] {
        var surplus: [Candidate] = []
        var left = bytes
        for candidate in candidates where !candidate.isFavorite {
            if let latest, candidate.day >= latest { break }
            guard first.map({ candidate.day < $0 }) == true || limit.map({ left > $0 }) == true else { break }
            surplus.append(candidate)
            left -= candidate.bytes
        }
        return surplus
    }
}
