import Apod
import Archive
import TestSupport
import Testing

@testable import Service

@Suite("A round of retention")
struct HoldTests {
    private let now = 1_800_000_000

    private func round(_ count: Int, of there: Int) -> Pruning {
        let first = day("2020-01-01")
        let days = (0..<count).map { number in
            Stock.Holding(day: first.advanced(by: number), title: "", bytes: 10, isFavorite: false)
        }
        return Pruning(days: days, there: there)
    }

    private func settings(_ keep: String = "9d", _ maxTotal: Int? = nil) -> Settings {
        var settings = Settings(root: "/")
        settings.keep = Span(keep)
        settings.maxTotal = maxTotal
        return settings
    }

    private func hold(_ count: Int, of there: Int) -> Hold {
        Hold.of(round(count, of: there), by: settings(), after: nil, at: now)!
    }

    @Test(
        "is large if it is more than thirty and more than a tenth of those there",
        arguments: [
            (0, 0, false), (1, 1, false), (30, 30, false), (31, 31, true), (31, 309, true), (31, 310, false),
            (1000, 9999, true), (1000, 10_000, false), (1000, 1000, true),
        ])
    func large(count: Int, there: Int, isLarge: Bool) {
        let hold = Hold.of(round(count, of: there), by: settings(), after: nil, at: now)
        #expect((hold != nil) == isLarge)
        #expect(hold.map(\.days) == (isLarge ? count : nil) && hold.map(\.bytes) == (isLarge ? 10 * count : nil))
        #expect(hold.map(\.oldest) == (isLarge ? day("2020-01-01") : nil))
        #expect(hold.map(\.newest) == (isLarge ? day("2020-01-01").advanced(by: count - 1) : nil))
    }

    @Test("waits for a day, and no longer")
    func length() {
        let hold = hold(50, of: 60)
        #expect(hold.since == now && hold.end == now + 86_400)
        #expect(!hold.isOver(at: now) && !hold.isOver(at: now + 86_399) && hold.isOver(at: now + 86_400))
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
            Hold.of(round(later.count, of: later.there), by: settings(), after: before, at: now + 90_000))
        #expect(after.since == (later.isSame ? now : now + 90_000))
        // Little by little, it does not become much.
        #expect(after.days == (later.isSame ? min(50, later.count) : later.count))
    }

    @Test("waits anew if it is asked for by other settings", arguments: ["8d", "10d"])
    func otherSettings(keep: String) {
        for settings in [settings(keep), settings("9d", 5)] {
            let after = Hold.of(round(50, of: 60), by: settings, after: hold(50, of: 60), at: now + 90_000)
            #expect(after?.since == now + 90_000)
        }
    }

    @Test("waits anew if the clock was set back to before it")
    func clock() {
        let before = hold(50, of: 60)
        #expect(Hold.of(round(50, of: 60), by: settings(), after: before, at: now - 1)?.since == now - 1)
        #expect(Hold.of(round(50, of: 60), by: settings(), after: before, at: now)?.since == now)
    }

    @Test("does not wait any more when it has become small")
    func small() {
        #expect(Hold.of(round(30, of: 60), by: settings(), after: hold(50, of: 60), at: now) == nil)
        #expect(Hold.of(round(0, of: 60), by: settings(), after: hold(50, of: 60), at: now) == nil)
    }

    @Test("is remembered as it is")
    func remembered() throws {
        let shelf = try Shelf()
        let catalog = try shelf.archive().catalog
        #expect(try catalog.hold() == nil)
        let hold = Hold.of(round(50, of: 60), by: settings("9d", 20_000_000_000), after: nil, at: now)
        try catalog.setHold(hold)
        #expect(try catalog.hold() == hold && hold?.rule == "keep = 9d, max-total = 20G")
        try catalog.setHold(nil)
        #expect(try catalog.hold() == nil)
    }
}
