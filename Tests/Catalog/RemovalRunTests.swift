import Apod
import Files
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("A run of removals")
struct RemovalRunTests {
    /// With so many links, which came at the moment 5: the first ones lead to the first day, each of the others to the next.
    private func catalog(
        links count: Int, toFirstDay first: Int = 1
    ) throws -> (catalog: Catalog, links: [Link], coming: FolderChange) {
        let catalog = try Shelf().archive().catalog
        let links = (0..<count).map { number in
            Link(Place(Name("\(number)")!, in: .top), to: Day.first.advanced(by: max(number + 1 - first, 0)))
        }
        var coming = FolderChange()
        coming.seen = links.map { (place: $0.place, meaning: .day($0.day)) }
        try catalog.record(coming, at: 5)
        return (catalog, links, coming)
    }

    @Test(
        "is a loss once at least three favorites, and more than half of them, are gone",
        arguments: [
            (1, 1, false), (2, 2, false), (3, 2, false), (3, 3, true), (4, 2, false), (4, 3, true), (5, 3, true),
            (6, 3, false), (6, 4, true), (7, 3, false), (7, 4, true), (100, 50, false), (100, 51, true),
        ])
    func measure(there: Int, gone: Int, isLoss: Bool) {
        var run = RemovalRun(number: 1, there: there)
        run.noteRemovals(gone: gone, at: 9)
        #expect(run == RemovalRun(number: 1, there: there, last: 9, isLoss: isLoss))
    }

    @Test(
        "counts also the favorites that came since, but measures by those that were there",
        arguments: [
            (1, 1, 2, true), (1, 1, 1, false), (2, 2, 1, true), (2, 1, 99, false), (4, 2, 99, false), (4, 3, 0, true),
        ])
    func came(there: Int, gone: Int, alsoGone: Int, isLoss: Bool) {
        var run = RemovalRun(number: 1, there: there)
        run.noteRemovals(gone: gone, alsoGone: alsoGone, at: 9)
        #expect(run.isLoss == isLoss)
    }

    @Test("stays a loss, though some come back")
    func stays() {
        var run = RemovalRun(number: 1, there: 4)
        run.noteRemovals(gone: 3, at: 1)
        run.noteRemovals(gone: 1, at: 2)
        #expect(run.isLoss && run.last == 2)
    }

    @Test(
        "goes on for less than a minute, by the clock where nothing else is known",
        arguments: [
            (1000, nil, true), (1059, nil, true), (1060, nil, false), (941, nil, true), (940, nil, false),
            (9999, Duration.milliseconds(59_999), true), (1000, .seconds(60), false),
        ])
    func pauses(moment: Int, pause: Duration?, goesOn: Bool) {
        #expect(RemovalRun(number: 1, there: 9, last: 1000).goesOn(at: moment, after: pause) == goesOn)
    }

    @Test("has not begun as long as nothing has gone for good")
    func begun() {
        #expect(!RemovalRun(number: 1, there: 9).goesOn(at: 0, after: .zero))
    }

    @Test("is over when its links are made again, or are said to be meant to be gone", arguments: [true, false])
    func over(isRestored: Bool) throws {
        let (catalog, links, coming) = try catalog(links: 4)
        var loss = FolderChange()
        loss.vanished = links
        try catalog.record(loss, .beginsAsLoss, at: 6)
        #expect(try catalog.removalRun()?.isLoss == true)
        if isRestored {
            try catalog.record(coming, at: 7)
            try catalog.restore(links)
        } else {
            #expect(try catalog.forget(nil, at: 7).count == 4)
        }
        let run = try #require(try catalog.removalRun())
        #expect(!run.isLoss && run.there == (isRestored ? 4 : 0) && run.last == nil)
    }

    @Test("leaves as vanished what was made again but is not known to be there")
    func unseen() throws {
        let (catalog, links, _) = try catalog(links: 2)
        var (loss, seen) = (FolderChange(), FolderChange())
        loss.vanished = links
        try catalog.record(loss, .beginsAsLoss, at: 6)
        // By another name.
        seen.seen = [(place: Place(Name("2 0")!, in: .top), meaning: .day(links[0].day))]
        try catalog.record(seen, at: 7)
        try catalog.restore(links)
        #expect(try catalog.links(.vanished) == [links[1]])
        #expect(try catalog.favorites().map(\.day) == links.map(\.day))
    }

    @Test("counts days, however many links one had")
    func days() throws {
        let (catalog, links, _) = try catalog(links: 8, toFirstDay: 4)
        try catalog.record(FolderChange(), .begins, at: 6)
        var removals = Removals(of: nil)
        removals.links = Array(links[..<4])
        removals.change.gone = removals.links.map(\.place)
        #expect(try catalog.record(removals, last: 6, at: 6) == 0)
        let run = try #require(try catalog.removalRun())
        #expect(!run.isLoss && run.there == 5)
        #expect(try catalog.favorites().map(\.day) == links[4...].map(\.day))
    }

    @Test("begins with all that have a link, also those of which another link has vanished, and no others")
    func there() throws {
        let (catalog, links, _) = try catalog(links: 4, toFirstDay: 2)
        var loss = FolderChange()
        loss.vanished = Array(links[1...2])
        try catalog.record(loss, .beginsAsLoss, at: 6)
        try catalog.record(FolderChange(), .begins, at: 100)
        #expect(try catalog.favorites().count == 3 && catalog.favoritesSummary().vanished == 1)
        #expect(try catalog.removalRun()?.there == 2)
    }

    @Test("brings back what it has ended when it turns out to be a loss, as it was, and says so")
    func broughtBack() throws {
        let (catalog, links, _) = try catalog(links: 4)
        try catalog.record(FolderChange(), .begins, at: 6)
        for (gone, moment, vanished) in [(links[0...0], 10, 0), (links[1...2], 20, 3)] {
            var removals = Removals(of: nil)
            removals.links = Array(gone)
            removals.change.gone = gone.map(\.place)
            #expect(try catalog.record(removals, last: moment, at: moment) == vanished)
        }
        #expect(try catalog.favorites().map(\.day) == links.map(\.day))
        #expect(try catalog.favorites().allSatisfy { $0.added == 5 })
        #expect(try catalog.links(.vanished) == Array(links[0...2]) && catalog.links(.removed) == [])
        let told = try catalog.history().filter { $0.kind != .added }.map { "\($0.kind) \($0.day) \($0.moment)" }
        let vanished = links[1...2].reversed().map { "vanished \($0.day) 20" }
        #expect(told == vanished + ["returned \(links[0].day) 20", "removed \(links[0].day) 10"])
    }

    @Test("ends no favorite that has vanished before, nor one that has other links")
    func others() throws {
        let (catalog, links, _) = try catalog(links: 4, toFirstDay: 2)
        var loss = FolderChange()
        loss.vanished = [links[2]]
        try catalog.record(loss, .beginsAsLoss, at: 6)
        try catalog.record(FolderChange(), .begins, at: 100)
        var removals = Removals(of: nil)
        removals.links = [links[0], links[3]]
        removals.change.gone = removals.links.map(\.place)
        #expect(try catalog.record(removals, last: 100, at: 100) == 0)
        #expect(try catalog.favorites().map(\.day) == [links[0].day, links[2].day])
        #expect(try catalog.history(atMost: 1).map(\.day) == [links[3].day])
    }

    @Test("is a loss when the folder goes")
    func folder() {
        var run = RemovalRun(number: 1, there: 9, last: 3)
        run.becomeLoss(at: 5)
        #expect(run == RemovalRun(number: 1, there: 9, last: 5, isLoss: true))
    }
}
