import Apod
import Files
import Synchronization
import TestSupport
import Testing

@testable import Archive
@testable import Catalog

@Suite("What the catalog knows of links")
struct LinksTests {
    private let orion = november(20)
    private let clouds = november(1)
    private static let year = 365 * 86_400

    private func link(_ path: String, to day: Day, file: String? = nil) -> Link {
        Link(Place(stringLiteral: path), to: day, file: file)
    }

    private let shelf: Shelf
    private let catalog: Catalog

    init() throws {
        shelf = try Shelf()
        catalog = try shelf.openCatalog
    }

    private func end(_ links: [Link], at moment: Int, window: Int = 2) throws {
        let present = try catalog.links(to: Set(links.map(\.day)))
        let gone = links.map { RemovedLink($0, went: moment) }
        try catalog.record(Departures(gone, of: present, window: window))
    }

    @Test("is where they are, since when, and what they were: a favorite that comes back within a year keeps its date")
    func dates() throws {
        let one = link("a", to: orion, file: "x.jpg")
        for (ended, returned, since) in [(200, 300, 100), (400, 400 + Self.year, 400 + Self.year)] {
            try catalog.favor([one], at: ended == 200 ? 100 : 350)
            try end([one], at: ended)
            #expect(try catalog.favorites().isEmpty && catalog.links().isEmpty)
            let former = try #require(try catalog.endedFavorites().first)
            #expect(former.added == 100 && former.ended == ended && former.removed == [RemovedLink(one, went: ended)])
            try catalog.favor([one], at: returned)
            #expect(try catalog.favorites().map(\.added) == [since])
            #expect(try catalog.endedFavorites().isEmpty && catalog.removedLinks().isEmpty)
            #expect(try catalog.links(in: .top)[one.place.name] == [KnownLink(one, isLink: true, came: returned)])
        }
    }

    @Test("is told of very many favorites, and of those that ended after them")
    func many() throws {
        let days = (0..<1100).map { november(1).advanced(by: -$0) }
        let albums = days.flatMap { [link("b/\($0)", to: $0), link("a/\($0)", to: $0)] }
        try catalog.favor(albums, at: 5)
        let ended = Set(days.enumerated().filter { $0.offset % 2 == 1 }.map(\.element))
        try end(albums.filter { ended.contains($0.day) }, at: 9)
        try end([albums[0]], at: 9)
        var told: [Favorite] = []
        try catalog.forEachFavoriteAndEnded { told.append($0) }
        let kept = days.filter { !ended.contains($0) }.sorted()
        #expect(told.map(\.day) == kept + ended.sorted())
        #expect(told.map(\.ended) == kept.map { _ in nil } + ended.map { _ in 9 })
        #expect(
            told.allSatisfy { favorite in
                let places = favorite.links + favorite.removed.map(\.link.place)
                return Set(places.map(\.description)) == ["a/\(favorite.day)", "b/\(favorite.day)"]
            })
        #expect(told.allSatisfy { $0.links.isEmpty == ended.contains($0.day) })
        #expect(try catalog.favorites().map(\.day) == kept)
    }

    @Test("is which went since a moment, and which went together")
    func went() throws {
        let links = (0..<9).map { link("a/\($0)", to: orion) }
        try catalog.favor(links, at: 5)
        for (index, moment) in [100, 500, 520, 580, 640].enumerated() {
            try end([links[index]], at: moment, window: 0)
        }
        #expect(try catalog.removedLinks(since: 520).map(\.went) == [520, 580, 640])
        #expect(try catalog.removedLinks().map(\.link) == Array(links[..<5]))
        #expect(try catalog.favorites().first?.links.count == 4 && catalog.endedFavorites().isEmpty)
        let week = 7 * 86_400
        #expect(try catalog.loss(at: week) == LinkLoss(links: 4, since: 500))
        #expect(try catalog.loss(at: 501 + week) == nil)
        // One is back.
        try catalog.favor([links[2]], at: 700)
        #expect(try catalog.loss(at: week) == nil)
    }

    @Test("goes with one that is moved: since when it is there, in place of what went from the new place before")
    func moved() throws {
        let (old, new) = (link("a/x", to: orion, file: "x.jpg"), link("b/x", to: orion, file: "y.jpg"))
        try catalog.favor([old, new], at: 1)
        try end([new], at: 2, window: 0)
        var change = FolderChange()
        (change.came, change.moved) = ([(new, true)], [(old, new.place)])
        try catalog.record(change, at: 7)
        #expect(try catalog.links() == [new] && catalog.removedLinks().isEmpty)
        #expect(try catalog.links(at: new.place).map(\.came) == [1])
    }

    @Test(
        "is forgotten a year after they went, by a clock that is believed as far as there are days",
        arguments: [0, 400])
    func forgotten(ahead: Int) async throws {
        try await shelf.add(orion)
        let now = orion.noon
        let ages = [(clouds, Self.year + 4 * 86_400), (orion, Self.year - 4 * 86_400)]
        for (day, age) in ages {
            try catalog.favor([link("\(day)", to: day)], at: 1)
            try end([link("\(day)", to: day)], at: now - age)
        }
        try catalog.forgetOldLinks(at: now + ahead * 86_400)
        #expect(try catalog.removedLinks().map(\.link.day) == [orion])
        #expect(try catalog.endedFavorites().map(\.day) == [orion])
    }

    @Test("is written into the history before it is committed; where that cannot be, nothing is")
    func history() throws {
        var change = FolderChange()
        change.came = [(link("a", to: orion), true), (link("b", to: orion), true), (link("c", to: clouds), false)]
        #expect(throws: StorageError.self) {
            try catalog.record(change, at: 7) { _ throws(StorageError) in
                throw StorageError("write", "history", code: 28)
            }
        }
        #expect(try catalog.favorites().isEmpty && catalog.links().isEmpty)
        let told = Mutex<[HistoryEntry]>([])
        try catalog.record(change, at: 7) { entries throws(StorageError) in told.withLock { $0 += entries } }
        let expected = [
            HistoryEntry(.added, orion, at: 7, link: "a"), HistoryEntry(.added, clouds, at: 7, link: "c"),
        ]
        #expect(told.withLock(\.self) == expected)
    }

    @Test("is what favorites.json knows when it is made anew; one without links has ended")
    func recalled() throws {
        let gone = RemovedLink(link("x", to: clouds, file: "x.jpg"), went: 50)
        let favorites = [
            Favorite(day: orion, added: 10, links: [link("a", to: orion).place], removed: []),
            Favorite(day: clouds, added: 20, ended: 60, removed: [gone]),
        ]
        try catalog.recall(favorites)
        #expect(try catalog.favorites().map(\.added) == [10] && catalog.links() == [link("a", to: orion)])
        let ended = try #require(try catalog.endedFavorites().first)
        #expect(ended.day == clouds && ended.added == 20 && ended.ended == 60 && ended.removed == [gone])
    }

    private static let departures: [(present: [(String, Int)], gone: [(String, Int)], moved: [String], ended: Bool)] = [
        ([("a", 0)], [("a", 10)], [], true),
        ([("a", 0), ("b", 0)], [("a", 10)], [], false),
        // Another came at once.
        ([("a", 0), ("b", 8)], [("a", 10)], ["a"], false),
        ([("a", 0), ("b", 11)], [("a", 10)], ["a"], false),
        ([("a", 0), ("b", 7)], [("a", 10)], [], false),
        // One takes the place of one, and that of the first.
        ([("a", 0), ("b", 0), ("c", 10)], [("b", 10), ("a", 11)], ["b"], false),
        ([("a", 0), ("b", 0), ("c", 10), ("d", 10)], [("a", 10), ("b", 10)], ["a", "b"], false),
        // What came and went itself takes nobody's.
        ([("a", 0), ("b", 10)], [("a", 10), ("b", 12)], [], true),
    ]

    @Test("is what links that went mean for their day", arguments: departures.indices)
    func departs(index: Int) {
        let (present, gone, moved, ended) = Self.departures[index]
        let known = present.map { KnownLink(link($0.0, to: orion), isLink: true, came: $0.1) }
        let removed = gone.map { RemovedLink(link($0.0, to: orion), went: $0.1) }
        let departures = Departures(removed, of: known, window: 2)
        #expect(departures.moved.map(\.place.description).sorted() == moved)
        #expect(Set(departures.went.map(\.link)) == Set(removed.map(\.link)).subtracting(departures.moved))
        #expect(departures.ended == (ended ? [removed.max { $0.went < $1.went }!] : []))
    }
}
