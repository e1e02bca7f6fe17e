import Apod
import Archive
import TestSupport
import Testing

@testable import Catalog

struct PruneCandidatesTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The bytes of days in a row, oldest first, from the first of the month on; a `*` marks favorites.
        let days: String
        var first: Int?
        var limit: Int?
        /// Of JSON and of what else there is.
        var others = 0
        var latest: Int?
        let goes: [Int]

        init(
            _ words: String, _ days: String, first: Int? = nil, limit: Int? = nil, others: Int = 0, latest: Int? = nil,
            goes: [Int]
        ) {
            (testDescription, self.days, self.first, self.limit) = (words, days, first, limit)
            (self.others, self.latest, self.goes) = (others, latest, goes)
        }
    }

    private static let cases = [
        Case("nothing of nothing", "", first: 9, limit: 1, goes: []),
        Case("what is older than it may be", "10 10 10 10", first: 3, goes: [1, 2]),
        Case("the oldest, until the rest is small enough", "10 10 10 10", limit: 20, goes: [1, 2]),
        Case("nothing, where it is just small enough", "10 10 10", limit: 30, goes: []),
        Case("a day for a single byte", "10 10 10", limit: 29, goes: [1]),
        Case("the oldest, however large the others are", "1 1 90 1", limit: 92, goes: [1]),
        Case("more for JSON, which stays", "10 10 10", limit: 30, others: 15, goes: [1, 2]),
        Case("both what is old and what is too much", "10 10 10 10", first: 2, limit: 20, goes: [1, 2]),
        Case("no favorite", "10* 10 10* 10", first: 5, goes: [2, 4]),
        Case("more of the others, for favorites", "10* 10 10* 10 10", limit: 30, goes: [2, 4]),
        Case("all but the favorites, where they are too many", "10* 10 10* 10", limit: 5, goes: [2, 4]),
        Case("not the newest picture", "10 10 10", limit: 5, latest: 3, goes: [1, 2]),
        Case("not what is newer than the newest picture", "10 10 10", first: 9, limit: 1, latest: 2, goes: [1]),
        Case("not the only picture, however large", "10", first: 9, limit: 1, latest: 1, goes: []),
    ]

    @Test("What is let go of before a day makes room by its size, that of the day itself and of favorites does not")
    func releasable() async throws {
        let fixture = try ArchiveFixture()
        for number in 1...3 { try await fixture.add(november(number)) }
        let catalog = try fixture.openCatalog
        for (favorites, expected) in [(Set<Day>(), [0, 1000, 2000, 3000]), ([november(2)], [0, 1000, 1000, 2000])] {
            let sizes = try (1...4).map { try catalog.releasableBytes(before: november($0), sparing: favorites) }
            #expect(sizes == expected)
            let candidates = try catalog.pruneCandidates(before: november(3), sparing: favorites)
            #expect(candidates.map(\.day) == [november(1), november(2)].filter { !favorites.contains($0) })
        }
    }

    @Test(
        "Days before the first wanted one and the oldest beyond the limit are let go of, and no favorites",
        arguments: cases)
    func choice(_ choice: Case) {
        let candidates = choice.days.split(separator: " ").enumerated().map { index, text in
            PruneCandidates.Candidate(day: november(index + 1), title: "", bytes: Int(text.filter(\.isNumber))!)
        }
        let favorites = choice.days.split(separator: " ").enumerated().filter { $0.element.hasSuffix("*") }
            .map { november($0.offset + 1) }
        let pruneCandidates = PruneCandidates(
            candidates: candidates, bytes: candidates.reduce(choice.others) { $0 + $1.bytes },
            latest: choice.latest.map(november)
        )
        let surplus = pruneCandidates.surplus(
            before: choice.first.map(november), atMost: choice.limit, sparing: Set(favorites))
        #expect(surplus.map(\.day.day) == choice.goes)
    }
}
