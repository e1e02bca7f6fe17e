import Apod
import Catalog
import Synchronization
import Syncing
import TestSupport
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

    @Test("counts all days of a question without an answer as asked for, and none of them as done")
    func unanswered() {
        var tally = RefreshTally(named: [])
        tally.count(.planned(days: 7))
        for (days, ended) in [(3, 3), (1, 4), (0, 4), (25, 7)] {
            tally.count(.unanswered(Self.day...Self.day, days: days, why: ""))
            #expect(tally.ended == ended && tally.left == 7 && !tally.isGood)
        }
        #expect(tally.unanswered == 29)
    }

    @Test("says of days that were told, and have not come, what they are instead")
    func unpublished() {
        func told(_ events: Message...) -> [String] {
            let lines = Mutex<[String]>([])
            let listener: @Sendable (String) -> Void = { text in
                lines.withLock { $0.append(text.trimmingPrefix("apod-mirror: ").filter { $0 != "\n" }) }
            }
            Terminal.$listener.withValue(listener) {
                var report = JobReport(of: .sync(SyncOrder()), in: "/mirror", asJSON: false)
                for event in [.refreshBegan(named: [])] + events + [.refreshEnded(nil)] { report.enter(event) }
                report.end()
            }
            return lines.withLock(\.self)
        }
        let (planned, late) = (Message.event(.planned(days: 1)), Message.event(.notYet(Self.day)))
        #expect(told(planned, late) == ["nothing new"])
        // Where the answer is long in coming, it is told first for what there is to wait.
        let delay = Message.delayed("it is slow")
        #expect(told(planned, delay, late) == ["1 day to fetch", "nothing new, 1 not published yet"])
        let (two, other) = (Message.event(.planned(days: 2)), Self.day.advanced(by: -1))
        let came = Message.event(.mirrored(other, title: "A", state: .mirrored, bytes: 1000))
        let sum = "in /mirror: 1 fetched"
        let inTime = told(two, came, late)
        #expect([inTime.first, inTime.last] == ["2 days to fetch", "\(sum), 1 not published yet"])
        let later = told(two, late, came)
        #expect([later.first, later.last] == ["1 day to fetch", sum])
    }
}
