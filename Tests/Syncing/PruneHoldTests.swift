import Apod
import Archive
import Catalog
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

struct PruneHoldTests {
    @Test(
        "A plan of deletion waits where it takes more than five, and by another rule than the last one, or more than half of all",
        arguments: [
            // Days to go, former versions to go, how many of both there are, whether the rule is the last one.
            (5, 0, 5, false, false), (0, 5, 5, false, false), (2, 3, 5, false, false), (6, 0, 1000, false, true),
            (0, 6, 1000, false, true), (3, 3, 1000, false, true), (6, 0, 1000, true, false), (6, 0, 12, true, false),
            (6, 0, 11, true, true), (3, 3, 11, true, true), (26, 0, 31, true, true), (0, 45, 445, true, false),
        ])
    func waits(days: Int, former: Int, all: Int, isLastRule: Bool, isHeld: Bool) {
        let first = day("2020-01-01")
        let candidates = (0..<days).map { number in
            PruneCandidates.Candidate(day: first.advanced(by: number), title: "", bytes: 10)
        }
        let version = FormerVersion(
            day: first, number: 1, replaced: 0, kinds: [], bytes: 0, jsonBytes: 0, isReverted: false, isDeleted: false)
        var settings = Settings(root: "/")
        (settings.keep, settings.maxTotal) = (Span("9d"), 20_000_000_000)
        let plan = PruneRound(days: candidates, replaced: Array(repeating: version, count: former))
        let held = PruneHold(
            rule: "keep = 9d, max-total = 20G", days: days, replaced: former, bytes: 10 * days,
            range: days == 0 ? nil : first...first.advanced(by: days - 1))
        for last in isLastRule ? [settings.retentionDigest] : [nil, Settings(root: "/").retentionDigest] {
            #expect(plan.hold(by: settings, lastApplied: last, of: all) == (isHeld ? held : nil))
        }
    }
}
