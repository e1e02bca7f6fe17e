import Apod
import Store
import Synchronization
import Syncing
import TestSupport
import Testing

@testable import apod_mirror

struct RefreshTallyTests {
    private static let day = Day("2019-04-30")!

    @Test("A tally counts each planned day once, whatever came of it")
    func ended() {
        var tally = RefreshTally(named: [Self.day])
        tally.count(.planned(7))
        func other(_ number: Int) -> Day { Self.day.advanced(by: -number) }
        let events: [Event] = [
            .mirrored(.day(other(1)), title: "A", state: .mirrored, bytes: 9),
            .failed(.day(other(2)), why: "", isPassing: true),
            .absent(other(3)), .notYet(.day(other(4))), .unchanged(.day(Self.day)), .absent(Self.day),
        ]
        for (index, event) in events.enumerated() {
            tally.count(event)
            #expect(tally.ended == index + 1 && tally.left == 6 - index, "\(event)")
        }
        #expect(!tally.isGood)
        // Nobody planned these.
        tally.count(.unchanged(.day(other(5))))
        #expect(tally.ended == 6)
        tally.count(.unanswered(other(9)...other(8), days: 2, why: ""))
        #expect(tally.ended == 7 && tally.left == 1)
    }

    @Test("A tally counts the days of an unanswered question as asked for, and not as done")
    func unanswered() {
        var tally = RefreshTally(named: [])
        tally.count(.planned(7))
        for (days, ended) in [(3, 3), (1, 4), (0, 4), (25, 7)] {
            tally.count(.unanswered(Self.day...Self.day, days: days, why: ""))
            #expect(tally.ended == ended && tally.left == 7 && !tally.isGood)
        }
        #expect(tally.unanswered == 29)
    }
}
