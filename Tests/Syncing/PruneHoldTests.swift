import Apod
import Catalog
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

@Suite("A round of retention")
struct PruneHoldTests {
    @Test(
        "is large if it is more than thirty and more than a tenth of those there",
        arguments: [
            (0, 0, false), (30, 30, false), (31, 31, true), (31, 309, true), (31, 310, false), (1000, 9999, true),
            (1000, 10_000, false),
        ])
    func large(count: Int, there: Int, isLarge: Bool) {
        let first = day("2020-01-01")
        let days = (0..<count).map { number in
            PruneCandidates.Candidate(day: first.advanced(by: number), title: "", bytes: 10, isFavorite: false)
        }
        var settings = Settings(root: "/")
        (settings.keep, settings.maxTotal) = (Span("9d"), 20_000_000_000)
        let hold = PruneRound(days: days, there: there).hold(by: settings)
        let last = first.advanced(by: max(0, count - 1))
        let held = PruneHold(
            rule: "keep = 9d, max-total = 20G", days: count, bytes: 10 * count, oldest: first, newest: last)
        #expect(hold == (isLarge ? held : nil))
    }
}
