import Apod
import Archive
import Catalog
import Concurrency
import TestSupport
import Testing

@testable import Configuration
@testable import Syncing

@Suite("A round of retention")
struct PruneHoldTests {
    private let now = 1_800_000_000

    private func round(_ count: Int, of there: Int) -> PruneRound {
        let first = day("2020-01-01")
        let days = (0..<count).map { number in
            PruneCandidates.Candidate(day: first.advanced(by: number), title: "", bytes: 10, isFavorite: false)
        }
        return PruneRound(days: days, there: there)
    }

    private func settings(_ keep: String = "9d", _ maxTotal: Int? = nil) -> Settings {
        var settings = Settings(root: "/")
        settings.keep = Span(keep)
        settings.maxTotal = maxTotal
        return settings
    }

    private let start = Uptime(boot: "a", seconds: 1_000)

    private func hold(_ count: Int, of there: Int) -> PruneHold {
        round(count, of: there).hold(by: settings(), after: nil, at: now, start)!
    }

    private func ran(_ seconds: Int, boot: String = "a") -> Uptime {
        Uptime(boot: boot, seconds: (boot == "a" ? start.seconds : 0) + seconds)
    }

    @Test(
        "is large if it is more than thirty and more than a tenth of those there",
        arguments: [
            (0, 0, false), (1, 1, false), (30, 30, false), (31, 31, true), (31, 309, true), (31, 310, false),
            (1000, 9999, true), (1000, 10_000, false), (1000, 1000, true),
        ])
    func large(count: Int, there: Int, isLarge: Bool) {
        let hold = round(count, of: there).hold(by: settings(), after: nil, at: now, start)
        #expect((hold != nil) == isLarge)
        #expect(hold.map(\.days) == (isLarge ? count : nil) && hold.map(\.bytes) == (isLarge ? 10 * count : nil))
        #expect(hold.map(\.oldest) == (isLarge ? day("2020-01-01") : nil))
        #expect(hold.map(\.newest) == (isLarge ? day("2020-01-01").advanced(by: count - 1) : nil))
    }

    @Test("waits for a day in which the machine runs, and no longer")
    func length() {
        let hold = hold(50, of: 60)
        #expect(hold.since == now && hold.heldSeconds == 0 && hold.end == now + 86_400 && !hold.isOver)
        for passed in [0, 1, 86_399, 86_400, 90_000] {
            let later = hold.counted(at: now + passed, ran(passed))
            #expect(later.heldSeconds == passed && later.end == hold.end && later.isOver == (passed >= 86_400))
        }
    }

    /// A clock that is set by so much, and when the hold is over then.
    private static let steps: [(step: Int, end: Int)] = [
        (0, 0), (59, 0), (-59, 0), (60, 60), (-60, -60), (3 * 86_400, 3 * 86_400), (-400 * 86_400, -400 * 86_400),
    ]

    @Test("waits neither shorter nor longer when the clock is set: only its end is another one", arguments: steps)
    func clock(set: (step: Int, end: Int)) {
        let hold = hold(50, of: 60)
        for passed in [0, 500, 86_399, 86_400] {
            let later = hold.counted(at: now + set.step + passed, ran(passed))
            #expect(later.end == hold.end + set.end && later.isOver == (passed == 86_400) && later.since == now)
        }
    }

    @Test("is over when hours in which the machine ran make a day")
    func looks() {
        var hold = hold(50, of: 60)
        for number in 1...24 {
            #expect(!hold.isOver && hold.pause == 3_600)
            hold = hold.counted(at: now + number * 3_600, ran(number * 3_600))
        }
        #expect(hold.isOver && hold.end == now + 86_400)
    }

    @Test("is looked at every hour, and when it is over")
    func pause() {
        let hold = hold(50, of: 60)
        for (told, pause) in [(0, 3_600), (82_800, 3_600), (82_801, 3_599), (86_399, 1)] {
            #expect(hold.counted(at: now + told, ran(told)).pause == pause)
        }
    }

    @Test("does not count when the machine was off", arguments: [0, 60, 3_600, 86_399, 86_400])
    func off(uptime: Int) {
        let before = hold(50, of: 60).counted(at: now, ran(80_000))
        #expect(before.heldSeconds == 80_000)
        for days in [0, 3, 400] {
            let moment = now + days * 86_400 + uptime
            let after = before.counted(at: moment, ran(uptime, boot: "b"))
            #expect(after.heldSeconds == 80_000 + uptime && after.isOver == (uptime >= 6_400))
            #expect(after.isOver || after.end == moment + 6_400 - uptime)
            // And goes on from there.
            let later = after.counted(at: moment + 100, ran(uptime + 100, boot: "b"))
            #expect(later.heldSeconds == 80_000 + uptime + 100)
        }
    }

    @Test("counts nothing that has not passed: the machine has run for less than before")
    func less() {
        let before = hold(50, of: 60).counted(at: now, ran(80_000))
        #expect(before.counted(at: now, ran(79_000)).heldSeconds == 80_000)
        #expect(before.counted(at: now, ran(79_000)).counted(at: now, ran(79_100)).heldSeconds == 80_100)
    }

    @Test("does not count while the mirror was away", arguments: ["a", "b"])
    func away(boot: String) {
        let (before, back) = (hold(50, of: 60).counted(at: now, ran(500)), ran(100_000, boot: boot))
        for passed in [0, 1, 1_000] {
            let after = before.counted(at: now, ran(100_000 + passed, boot: boot), reached: back.seconds)
            #expect(after.heldSeconds == 500 + passed)
        }
        let later = before.counted(at: now, ran(1_000)).counted(at: now, ran(1_100), reached: start.seconds + 700)
        #expect(later.heldSeconds == 1_100)
    }

    @Test("is remembered anew when there is something new, and not at each look")
    func news() {
        let before = hold(50, of: 60)
        func isNews(_ after: PruneHold?) -> Bool { after!.isNews(after: before) }
        #expect(!isNews(before) && !isNews(before.counted(at: now + 599, ran(599))))
        #expect(isNews(before.counted(at: now + 600, ran(600))))
        #expect(!isNews(before.counted(at: now + 60, ran(1))) && isNews(before.counted(at: now + 61, ran(1))))
        #expect(isNews(round(49, of: 60).hold(by: settings(), after: before, at: now, start)))
        #expect(isNews(round(50, of: 60).hold(by: settings(), after: nil, at: now + 1, start)))
        let last = before.counted(at: now + 86_399, ran(86_399))
        #expect(last.counted(at: now + 86_400, ran(86_400)).isNews(after: last))
    }

    /// What it is about later, and whether it goes on waiting as before.
    private static let later: [(count: Int, there: Int, isSame: Bool)] = [
        (50, 60, true), (49, 60, true), (31, 60, true), (51, 60, true), (80, 90, true), (81, 90, false),
        (81, 309, false), (81, 310, true),
    ]

    @Test("waits as before if it is the same, smaller or a little larger", arguments: later)
    func same(later: (count: Int, there: Int, isSame: Bool)) throws {
        let before = hold(50, of: 60)
        let after = try #require(
            round(later.count, of: later.there).hold(
                by: settings(), after: before, at: now + 9_000, ran(9_000)))
        #expect(after.since == (later.isSame ? now : now + 9_000) && after.heldSeconds == (later.isSame ? 9_000 : 0))
        #expect(after.end == after.since + 86_400 && after.counted == ran(9_000))
        // Little by little, it does not become much.
        let days = later.isSame ? min(50, later.count) : later.count
        #expect(after.days == days && after.bytes == 10 * days)
        #expect(after.newest == day("2020-01-01").advanced(by: days - 1))
    }

    @Test("is about what is to go now, also if that is as many other days")
    func others() throws {
        var later = round(50, of: 60)
        later.days = later.days.map { .init(day: $0.day.advanced(by: 1), title: "", bytes: 20, isFavorite: false) }
        let after = later.hold(by: settings(), after: hold(50, of: 60), at: now + 9_000, ran(9_000))
        #expect(after?.since == now && after?.days == 50 && after?.bytes == 1_000)
        #expect(after?.oldest == day("2020-01-02") && after?.newest == day("2020-02-20"))
    }

    @Test("waits anew if it is asked for by other settings", arguments: ["8d", "10d"])
    func otherSettings(keep: String) {
        for settings in [settings(keep), settings("9d", 5)] {
            let before = hold(50, of: 60)
            let after = round(50, of: 60).hold(by: settings, after: before, at: now + 90_000, ran(90_000))
            #expect(after?.since == now + 90_000 && after?.heldSeconds == 0 && after?.end == now + 176_400)
        }
    }

    @Test("does not wait any more when it has become small")
    func small() {
        #expect(round(30, of: 60).hold(by: settings(), after: hold(50, of: 60), at: now, start) == nil)
        #expect(round(0, of: 60).hold(by: settings(), after: hold(50, of: 60), at: now, start) == nil)
    }

    @Test("is remembered as it is")
    func remembered() throws {
        let shelf = try Shelf()
        let catalog = try shelf.archive().catalog
        #expect(try catalog.hold() == nil)
        let hold = round(50, of: 60).hold(by: settings("9d", 20_000_000_000), after: nil, at: now, start)
        for hold in [hold, hold?.counted(at: now + 90_000, ran(7_000, boot: "b"))] {
            try catalog.setHold(hold)
            #expect(try catalog.hold() == hold && hold?.rule == "keep = 9d, max-total = 20G")
        }
        try catalog.setHold(nil)
        #expect(try catalog.hold() == nil)
    }

    @Test("that another version remembers is none")
    func former() throws {
        let shelf = try Shelf()
        let catalog = try shelf.archive().catalog
        try catalog.setHold(hold(50, of: 60))
        let words = try #require(try catalog.remark(.hold))
        for member in ["told", "boot", "uptime", "end"] {
            try catalog.setRemark(.hold, words.replacing("\"\(member)\"", with: "\"x\""))
            #expect(try catalog.hold() == nil, "\(member)")
        }
        try catalog.setRemark(.hold, words)
        #expect(try catalog.hold() != nil)
    }
}
