import Apod
import Catalog
import Syncing
import Testing

@testable import apod_mirror

@Suite("What has come of a refresh so far")
struct RefreshTallyTests {
    private static let day = Day("2019-04-30")!

    @Test("counts each of the days that were planned once, whatever came of it")
    func ended() {
        var tally = RefreshTally(named: [Self.day])
        tally.count(.planned(days: 7))
        func other(_ number: Int) -> Day { Self.day.advanced(by: -number) }
        let events: [RefreshEvent] = [
            .mirrored(other(1), title: "A", state: .mirrored, bytes: 9), .failed(other(2), why: "", isPassing: true),
            .absent(other(3)), .notYet(other(4)), .unchanged(Self.day), .absent(Self.day),
        ]
        for (index, event) in events.enumerated() {
            tally.count(event)
            #expect(tally.ended == index + 1 && tally.left == 6 - index, "\(event)")
        }
        #expect(!tally.isGood)
        // Nobody planned these.
        tally.count(.unchanged(other(5)))
        #expect(tally.ended == 6)
        tally.count(.unanswered(other(9)...other(8), days: 2, why: ""))
        #expect(tally.ended == 7 && tally.left == 1)
    }
}
