package import Apod

/// The days that have files in the tree, and the choice of those to delete.
package struct PruneCandidates: Sendable {
    package struct Candidate: Sendable, Equatable {
        package let day: Day
        package let title: String
        /// The bytes of its files; its JSON stays.
        package let bytes: Int

        package init(day: Day, title: String, bytes: Int) {
            self.day = day
            self.title = title
            self.bytes = bytes
        }
    }

    /// Oldest first, without the favorites.
    package let candidates: [Candidate]
    /// All that counts for `max-total`.
    package let bytes: Int
    /// The day of the newest picture. It stays, and so does what is newer.
    package let latest: Day?

    package init(candidates: [Candidate], bytes: Int, latest: Day?) {
        self.candidates = candidates
        self.bytes = bytes
        self.latest = latest
    }

    /// The oldest days to delete: all before `first`, and then as many as it takes until the rest fits into `limit`.
    /// `favorites`: days that are favorites by now.
    package func surplus(before first: Day?, atMost limit: Int?, sparing favorites: Set<Day> = []) -> [Candidate] {
        var surplus: [Candidate] = []
        var left = bytes
        for candidate in candidates where !favorites.contains(candidate.day) {
            if let latest, candidate.day >= latest { break }
            guard first.map({ candidate.day < $0 }) == true || limit.map({ left > $0 }) == true else { break }
            surplus.append(candidate)
            left -= candidate.bytes
        }
        return surplus
    }
}
